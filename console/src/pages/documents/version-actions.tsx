import { useState } from 'react';
import { useChange } from '../../api/use-admin.js';
import { PublishVersionDocument, RetireVersionDocument, type VersionFactsFragment } from '../../generated/graphql.js';
import { useToast } from '../../parts/feedback/toasts.js';
import { Confirm } from '../../parts/form/confirm.js';
import { commonText } from '../../text/common-text.js';
import { documentsText } from '../../text/documents-text.js';
import { problemsOf } from '../callers/problems-of.js';

const { publishDialog, retireDialog, toast } = documentsText;

/** Actions of an operator on a version: publish and retire it. */
export function VersionActions({ version: { app, version, state } }: { version: VersionFactsFragment }) {
  const showToast = useToast();
  const [asked, setAsked] = useState<'publish' | 'retire'>();
  const [problem, setProblem] = useState<string>();
  // Set after callers prevented the retirement.
  const [isInUse, setInUse] = useState(false);
  const [publish, retire] = [useChange(PublishVersionDocument), useChange(RetireVersionDocument)];
  const name = `${app} ${version}`;

  const ask = (to: 'publish' | 'retire') => {
    setProblem(undefined);
    setInUse(false);
    setAsked(to);
  };
  const confirmed = async (to: 'publish' | 'retire') => {
    const found = await problemsOf(async () => {
      if (to === 'publish') return publish.mutateAsync({ input: { app, version } });
      const answer = await retire.mutateAsync({ input: { app, version, ...(isInUse && { unusedDays: 0 }) } });
      const errors = answer.documentVersionRetire?.userErrors ?? [];
      setInUse(errors.some(({ code }) => code === 'IN_USE'));
      return answer;
    });
    setProblem(found);
    if (found !== undefined) return;
    setAsked(undefined);
    showToast({ text: to === 'publish' ? toast.published(name) : toast.retired(name) });
  };
  return (
    <>
      {state !== 'PUBLISHED' && (
        <button type="button" className="button button-primary" onClick={() => ask('publish')}>
          {documentsText.publish}
        </button>
      )}
      {state !== 'RETIRED' && (
        <button type="button" className="button button-danger" onClick={() => ask('retire')}>
          {commonText.retire}
        </button>
      )}
      {asked && (
        <Confirm
          title={asked === 'publish' ? publishDialog.title : retireDialog.title}
          action={asked === 'publish' ? documentsText.publish : isInUse ? retireDialog.anyway : commonText.retire}
          isDangerous={asked === 'retire'}
          isPending={publish.isPending || retire.isPending}
          problem={problem}
          onConfirm={() => void confirmed(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{asked === 'publish' ? publishDialog.text : isInUse ? retireDialog.anywayText : retireDialog.text}</p>
        </Confirm>
      )}
    </>
  );
}
