import type { KeyBudget } from '../../model/limit-parameters.js';
import type { Queryable } from '../../postgres/db.js';
import type { KnownFields } from '../matching/known-fields.js';
import { featuresOfKey } from '../policy/features.js';
import type { ApiKeyRecord } from './api-key-record.js';
import { calendarWarnings } from './calendar-warnings.js';
import type { UserError } from './outcome.js';
import { warningsOfInstances } from './warnings-of-instances.js';

type LimitsOfKey = Pick<ApiKeyRecord, 'budget' | 'fields'>;

/**
 * Returns warnings about effects of a new or changed key that may be unintended.
 * @param before null for a new key
 * @param known fields of the schemas in use; undefined if no schema is known
 */
export async function warningsOfKey(
  on: Queryable,
  before: LimitsOfKey | null,
  { budget, fields }: LimitsOfKey,
  known: KnownFields | undefined,
): Promise<string[]> {
  return [
    ...budgetWarnings(before?.budget ?? null, budget),
    ...warningsOfFields(fields, known),
    ...(await warningsOfInstances(on, featuresOfKey(budget), 'answer operations with the key with an error')),
  ];
}

/**
 * Returns an error for each field that no known schema has. A misspelt type would leave the fields
 * of the intended type open.
 * @param stored fields that the key already has. The schema may have lost them, so they are no errors.
 */
export function unknownFields(
  fields: readonly string[] | null | undefined,
  known: KnownFields | undefined,
  stored: readonly string[] = [],
): UserError[] {
  return (fields ?? []).flatMap((field, index) =>
    known === undefined || known.has(field) || stored.includes(field)
      ? []
      : [{ code: 'INVALID' as const, field: ['fields', String(index)], message: describeUnknownField(field, known) }],
  );
}

/** Returns warnings about stored fields that no schema has any more, and about fields that were not checked. */
function warningsOfFields(fields: readonly string[] | null, known: KnownFields | undefined): string[] {
  if (!fields) return [];
  if (!known) return [UNCHECKED_FIELDS];
  return fields.filter((field) => !known.has(field)).map((field) => describeUnknownField(field, known));
}

const UNCHECKED_FIELDS =
  'no schema is known here, so the names of the fields were not checked: a misspelt type leaves the fields of the intended type open';

function describeUnknownField(field: string, known: KnownFields): string {
  const nearest = known.nearest(field);
  return `no schema has the field ${field}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}

/** Returns a warning if the usage of a key's budget so far does not count in the new one. */
function budgetWarnings(before: KeyBudget | null, after: KeyBudget | null): string[] {
  if (before === null || after === null) return [];
  if ('calendar' in before && 'calendar' in after) return calendarWarnings(before.calendar, after.calendar);
  if ('calendar' in before || 'calendar' in after) return [OTHER_COUNTER];
  return [];
}

const OTHER_COUNTER = 'the budget continues with another counter: what the key has used so far does not count there';
