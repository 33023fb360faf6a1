/** Whether the text can be a rule id. A query for other text may fail in PostgreSQL. */
export function isRuleId(id: string): boolean {
  return /^[1-9]\d{0,15}$/.test(id);
}
