import { Field, ObjectType } from 'type-graphql';
import type { AdminRole } from '../../rules/store/create-admin-token-store.js';
import type { Actor } from '../../rules/store/create-change-log.js';
import { AuthMethods } from '../schema/change-type.js';
import { Roles } from './admin-token-type.js';

@ObjectType('Viewer', { description: 'The administrator who sends the request.' })
export class ViewerType {
  @Field(() => String, { description: 'Name of the administrator: the `actor` of their changes.' })
  name!: string;

  @Field(() => Roles, { description: 'Role of the administrator.' })
  role!: AdminRole;

  @Field(() => AuthMethods, { description: 'Method of authentication.' })
  authMethod!: Actor['authMethod'];
}
