import { isFieldOfKey } from '../../model/subject.js';
import { listOf, satisfying } from './validators.js';

/** Maximum number of fields of an API key. Each request with the key carries them. */
const MAX_FIELDS = 200;

/** Input form of the fields that operations with an API key may select. */
export const keyFieldsInput = listOf(satisfying(isFieldOfKey, 'a field such as Query.user or User.*'), MAX_FIELDS).min(
  1,
  {
    error: 'expected at least one field',
  },
);
