{{- define "tollgate.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "tollgate.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "tollgate.selectorLabels" -}}
app.kubernetes.io/name: {{ include "tollgate.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: {{ .Values.component }}
{{- end }}

{{- define "tollgate.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "tollgate.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* Labels of jobs. They differ from those of the pods, so that no service selects the pods of a job. */}}
{{- define "tollgate.jobLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/name: {{ include "tollgate.name" . }}-job
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "tollgate.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "tollgate.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "tollgate.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Command of the image, without arguments. */}}
{{- define "tollgate.command" -}}
["node", "node_modules/tollgate-platform/bin/tollgate-platform.js"]
{{- end }}

{{/* An environment variable from a secret, or with a value. Arguments: name, source, or nothing if both are empty. */}}
{{- define "tollgate.variable" -}}
{{- if .source.existingSecret }}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .source.existingSecret }}
      key: {{ .source.key }}
{{- else if .source.url }}
- name: {{ .name }}
  value: {{ .source.url | quote }}
{{- end }}
{{- end }}

{{- define "tollgate.databaseVariable" -}}
{{- include "tollgate.variable" (dict "name" "DATABASE_URL" "source" .Values.database) }}
{{- end }}

{{/* Values such as 0 and false are kept. `toJson` prints a large number without an exponent. */}}
{{- define "tollgate.text" -}}
{{- if kindIs "string" . }}{{ . | quote }}{{ else }}{{ . | toJson | quote }}{{ end }}
{{- end }}

{{- define "tollgate.shutdownTimeoutMs" -}}
{{- $given := index .Values.config "TOLLGATE_SHUTDOWN_TIMEOUT_MS" }}
{{- if kindIs "invalid" $given }}10000{{ else }}{{ $given | int64 }}{{ end }}
{{- end }}

{{/* The process closes within ten seconds after it has completed the requests in flight. */}}
{{- define "tollgate.gracePeriodSeconds" -}}
{{- add .Values.preStopSeconds (div (add (include "tollgate.shutdownTimeoutMs" . | int64) 999) 1000) 10 }}
{{- end }}

{{- define "tollgate.hasFiles" -}}
{{- if or .Values.files.schema .Values.files.costs }}true{{ end }}
{{- end }}

{{/* The parts of a pod that the deployment and the jobs share. */}}
{{- define "tollgate.podSpec" -}}
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
