import { Field, ObjectType } from 'type-graphql';
import type { AdminRole } from '../../rules/store/create-admin-token-store.js';
import type { Actor } from '../../rules/store/create-change-log.js';
import { AuthMethods } from '../schema/change-type.js';
import { Roles } from './admin-token-type.js';

@ObjectType('Viewer', { description: 'The administrator who asks.' })
export class ViewerType {
  @Field(() => String, { description: 'The `actor` of what they change.' })
  name!: string;

  @Field(() => Roles, { description: 'What they may do.' })
  role!: AdminRole;

  @Field(() => AuthMethods, { description: 'How they proved who they are.' })
  authMethod!: Actor['authMethod'];
}
