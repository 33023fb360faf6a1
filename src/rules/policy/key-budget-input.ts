import { z } from 'zod';
import type { KeyBudget } from '../../model/limit-parameters.js';
import { budgetInput } from './calendar-members.js';
import { bucketInput } from './tier-input.js';
import { membersOf } from './validators.js';

const periodic = membersOf({ calendar: budgetInput });

/**
 * Input form of the budget of an API key: `{ calendar }`, or a bucket. Only the form that the input
 * resembles is checked, because the mistakes of both together would be hard to read.
 */
export const keyBudgetInput = z
  .custom<KeyBudget>(() => true)
  .superRefine((budget, context) => {
    const isPeriodic = typeof budget === 'object' && budget !== null && 'calendar' in budget;
    if (isPeriodic && Object.keys(budget).length > 1) {
      const message = 'expected either calendar, or the members of a bucket: capacity, refillAmount and refillPeriodMs';
      context.addIssue({ code: 'custom', message });
      return;
    }
    const { error } = (isPeriodic ? periodic : bucketInput).safeParse(budget);
    for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message });
  });
