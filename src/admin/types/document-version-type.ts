import { Field, Float, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { DocumentPrice } from '../../registry/price-document.js';
import type { DocumentRecord, VersionRecord } from '../../registry/read-version.js';
import { ChangeInput, Payload, UserErrorType } from '../schema/change-input.js';
import { connectionOf, NodeType } from '../schema/connection.js';
import { OperationTypes } from '../schema/enums.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { CallerType } from './caller-type.js';
import { SERVICE } from './cost-explain-payload.js';

const States = { DRAFT: 'DRAFT', PUBLISHED: 'PUBLISHED', RETIRED: 'RETIRED' } as const satisfies {
  [State in VersionRecord['state']]: State;
};
registerEnumType(States, {
  name: 'DocumentVersionState',
  description: 'States of a version of an app.',
  valuesConfig: {
    DRAFT: { description: 'The version is stored. Callers cannot send its documents by id.' },
    PUBLISHED: { description: 'Callers can send its documents by id.' },
    RETIRED: { description: 'The version has ended. Callers can no longer send its documents by id.' },
  },
});

@ObjectType('DocumentPrice', { description: 'Price of a registered document on the schema of an API.' })
export class DocumentPriceType {
  @Field(() => Float, {
    nullable: true,
    description:
      'Largest cost of any request with the document, in tokens. Null if the document is invalid, or if `unbounded` is not empty.',
  })
  worstCase!: number | null;

  @Field(() => [String], { description: 'Names of the variables without a maximum that size lists.' })
  unbounded!: readonly string[];

  @Field(() => [String], { description: 'Reasons why the document is invalid on the schema; empty if it is valid.' })
  errors!: readonly string[];
}

@ObjectType('RegisteredDocument', { description: 'A document that a version of an app has registered.' })
export class RegisteredDocumentType {
  @Field(() => String, { description: 'Id by which clients send the document.' })
  documentId!: string;

  @Field(() => String, { description: 'SHA-256 of the text, in hexadecimal.' })
  hash!: string;

  @Field(() => String, { description: 'The text.' })
  text!: string;

  @Field(() => String, { nullable: true, description: 'Name of its first operation; null if it has none.' })
  operationName!: string | null;

  @Field(() => OperationTypes, { description: 'Type of its first operation.' })
  operationType!: DocumentRecord['operationType'];

  @Field(() => SafeIntScalar, { description: 'Number of uses with this version in the last 30 days.' })
  uses!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time of the last use with this version, accurate to about ten seconds; null if it was never used.',
  })
  lastUsedAt!: Date | null;
}

export const RegisteredDocumentConnectionType = connectionOf(
  'RegisteredDocument',
  RegisteredDocumentType,
  'registered documents',
);

@ObjectType('DocumentVersionCaller', { description: 'A caller that used a version.' })
export class DocumentVersionCallerType {
  @Field(() => CallerType, { description: 'The caller: its tenant, else its user or API key.' })
  caller!: CallerType;

  @Field(() => SafeIntScalar, { description: 'Number of uses of the version by this caller.' })
  uses!: number;

  @Field(() => DateTimeScalar, { description: 'Time of the last use, accurate to about ten seconds.' })
  lastUsedAt!: Date;
}

@ObjectType('DocumentVersion', {
  implements: NodeType,
  description: 'A version of an app, with the documents that it has registered.',
})
export class DocumentVersionType extends NodeType {
  @Field(() => String, { description: 'Name of the app.' })
  app!: string;

  @Field(() => String, { description: 'Name of the version.' })
  version!: string;

  @Field(() => States, { description: 'Whether callers can send its documents by id.' })
  state!: VersionRecord['state'];

  @Field(() => Int, { description: 'Number of its documents.' })
  documentCount!: number;

  @Field(() => SafeIntScalar, { description: 'Size of its documents, in bytes.' })
  bytes!: number;

  @Field(() => DateTimeScalar, { description: 'Time of the last push.' })
  pushedAt!: Date;

  @Field(() => String, { description: 'Who pushed last: an administrator, or the user of the command.' })
  pushedBy!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time of the last publication; null if it was none.' })
  publishedAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time at which it was retired; null if it is not.' })
  retiredAt!: Date | null;

  @Field(() => SafeIntScalar, { description: 'Number of uses of its documents in the last 30 days.' })
  uses!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time of the last use, accurate to about ten seconds; null if it was never used.',
  })
  lastUsedAt!: Date | null;

  /** Number of the version in the store. */
  number!: number;
}

export const DocumentVersionConnectionType = connectionOf('DocumentVersion', DocumentVersionType, 'versions of apps', {
  isCounted: true,
});

@ObjectType('BrokenDocument', { description: 'A published document that is invalid on a schema.' })
class BrokenDocumentType {
  @Field(() => String, { description: 'Name of the app.' })
  app!: string;

  @Field(() => String, { description: 'Id of the document.' })
  documentId!: string;

  @Field(() => [String], { description: 'Published versions that contain it, those published last first.' })
  versions!: readonly string[];

  @Field(() => String, { nullable: true, description: 'Name of its first operation; null if it has none.' })
  operationName!: string | null;

  @Field(() => String, { description: 'First reason why the document is invalid.' })
  error!: string;
}

@ObjectType('BrokenDocuments', { description: 'The published documents that are invalid on a schema.' })
export class BrokenDocumentsType {
  @Field(() => Boolean, {
    description:
      'Whether all documents were checked. The search ends after ten seconds; a later search continues, because Tollgate remembers the valid documents of a schema.',
  })
  isComplete!: boolean;

  @Field(() => Int, { description: 'Number of documents that were checked.' })
  checked!: number;

  @Field(() => Int, { description: 'Number of invalid documents.' })
  count!: number;

  @Field(() => [BrokenDocumentType], { description: 'The first of them, ordered by app.' })
  documents!: readonly BrokenDocumentType[];
}

@InputType('DocumentVersionFilter', { description: 'Conditions for versions. A version must meet all of them.' })
export class DocumentVersionFilterInput {
  @Field(() => String, { nullable: true, description: 'Only versions of this app.' })
  app?: string | null;

  @Field(() => States, { nullable: true, description: 'Only versions in this state.' })
  state?: VersionRecord['state'] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only versions whose app or version contains this text, in upper or lower case.',
  })
  nameContains?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Only versions without a use since this time.' })
  unusedSince?: Date | null;
}

@InputType('RegisteredDocumentFilter', { description: 'Conditions for documents. A document must meet all of them.' })
export class RegisteredDocumentFilterInput {
  @Field(() => String, {
    nullable: true,
    description: 'Only documents whose operation or id contains this text, in upper or lower case.',
  })
  nameContains?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Only documents without a use since this time.' })
  unusedSince?: Date | null;
}

@InputType('RegisteredDocumentInput', { description: 'A document to register.' })
export class RegisteredDocumentInput {
  @Field(() => String, { nullable: true, description: 'Its id. Default: `sha256:` and the SHA-256 of the text.' })
  id?: string | null;

  @Field(() => String, { description: 'Its text, at most 256 KiB.' })
  text!: string;
}

@InputType('DocumentVersionChangeInput', { description: 'Reference to the version to change.' })
abstract class DocumentVersionChangeInput extends ChangeInput {
  @Field(() => String, { description: 'Name of the app.' })
  app!: string;

  @Field(() => String, { description: 'Name of the version.' })
  version!: string;
}

@InputType('DocumentVersionPushInput', { description: 'Documents to add to a version of an app.' })
export class DocumentVersionPushInput extends DocumentVersionChangeInput {
  @Field(() => [RegisteredDocumentInput], { description: 'The documents. All are stored, or none.' })
  documents!: RegisteredDocumentInput[];

  @Field(() => Boolean, { defaultValue: false, description: 'Whether to publish the version too.' })
  publish!: boolean;
}

@InputType('DocumentVersionPublishInput', { description: 'The version to publish.' })
export class DocumentVersionPublishInput extends DocumentVersionChangeInput {}

@InputType('DocumentVersionRetireInput', { description: 'The version to retire.' })
export class DocumentVersionRetireInput extends DocumentVersionChangeInput {
  @Field(() => Int, {
    defaultValue: 7,
    description: 'Days without a use that the version needs. 0 retires it even if callers use it.',
  })
  unusedDays!: number;
}

@ObjectType('DocumentVersionPayload', { description: 'Result of a change to a version of an app.' })
export class DocumentVersionPayload extends Payload {
  @Field(() => DocumentVersionType, { nullable: true, description: 'The version; null if there is none.' })
  documentVersion!: DocumentVersionType | null;
}

@InputType('DocumentsCheckInput', { description: 'Documents to check on the schema of an API.' })
export class DocumentsCheckInput {
  @Field(() => [RegisteredDocumentInput], { description: 'The documents.' })
  documents!: RegisteredDocumentInput[];

  @Field(() => String, {
    nullable: true,
    description: 'App whose last published version the costs are compared with. Default: no comparison.',
  })
  app?: string | null;

  @Field(() => Float, { nullable: true, description: 'Maximum worst case, in tokens. Default: none.' })
  maxCost?: number | null;

  @Field(() => Float, { nullable: true, description: 'Largest increase of a worst case, in percent. Default: none.' })
  maxIncrease?: number | null;

  @Field(() => String, { nullable: true, description: SERVICE })
  service?: string | null;
}

@ObjectType('CheckedDocument', { description: 'Result of the check of one document.' })
class CheckedDocumentType {
  @Field(() => String, { description: 'Id of the document.' })
  documentId!: string;

  @Field(() => String, { description: 'Name of its first operation, by which versions are compared.' })
  name!: string;

  @Field(() => DocumentPriceType, { description: 'Its price on the schema.' })
  price!: DocumentPrice;

  @Field(() => DocumentPriceType, {
    nullable: true,
    description: 'Price of the operation with this name in the last published version; null if it has none.',
  })
  before!: DocumentPrice | null;

  @Field(() => [String], { description: 'Reasons why the check fails; empty if it passes.' })
  problems!: readonly string[];
}

@ObjectType('DocumentsCheckPayload', { description: 'Result of a check of documents.' })
export class DocumentsCheckPayload {
  @Field(() => Boolean, { description: 'Whether all documents pass.' })
  passed!: boolean;

  @Field(() => [CheckedDocumentType], { description: 'The results, in the order of the input.' })
  documents!: CheckedDocumentType[];

  @Field(() => [String], { description: 'Names of the operations that only the last published version has.' })
  removed!: readonly string[];

  @Field(() => [UserErrorType], { description: 'Mistakes in the input; empty if the documents were checked.' })
  userErrors!: UserErrorType[];
}
