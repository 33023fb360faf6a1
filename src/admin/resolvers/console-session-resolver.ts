import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { ConsoleSessionRecord, ConsoleSessionReference } from '../../rules/store/create-console-session-store.js';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { presentConsoleSession } from '../context/present-change.js';
import { toPayload, toPlain } from '../schema/change-input.js';
import { MAX_TOTAL, numberAfter, PageArgs, toConnection, toPage } from '../schema/connection.js';
import { numberOf } from '../schema/to-global-id.js';
import {
  ConsoleSessionConnectionType,
  ConsoleSessionEndInput,
  ConsoleSessionPayload,
} from '../types/console-session-type.js';

const SHOWN = { consoleSession: (session: ConsoleSessionRecord) => presentConsoleSession(session) };

@Resolver()
export class ConsoleSessionResolver {
  constructor(private readonly sources: AdminSources) {}

  @Requires('ADMIN')
  @Query(() => ConsoleSessionConnectionType, {
    description: 'The open sessions of the console, oldest first. Requires the role ADMIN.',
  })
  async consoleSessions(@Args(() => PageArgs) args: PageArgs) {
    const page = toPage(args);
    const rows = await this.sources.store.pageConsoleSessions({ after: numberAfter(page, 0), limit: page.limit });
    const all = { after: 0, limit: MAX_TOTAL };
    const count = () => this.sources.store.count((pages) => pages.pageConsoleSessions(all));
    return toConnection(page, rows, ({ id }) => id, presentConsoleSession, count);
  }

  @Requires('ADMIN')
  @Mutation(() => ConsoleSessionPayload, {
    nullable: true,
    description:
      'Ends a session of the console on all instances immediately. Its token stays valid. Revoke the token too, so that its holder cannot log in again.',
  })
  async consoleSessionEnd(
    @Arg('input', () => ConsoleSessionEndInput, { description: 'The session to end.' })
    { id, ...options }: ConsoleSessionEndInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const input = { ...toPlain<ConsoleSessionReference>(options), id: numberOf('ConsoleSession', id) };
    return toPayload(await this.sources.store.endConsoleSession(input, actor), SHOWN);
  }
}
