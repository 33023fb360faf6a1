import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isUnionType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { createFieldModels, type FieldModelOptions } from './create-field-models.js';
import { createTypeSets } from './create-type-sets.js';
import { canCost, createInputModels, type InputModel } from './input-model.js';
import type { FieldModel, SchemaModel, TypeModel, TypeSet } from './schema-model.js';

/**
 * Creates the model of a schema, with prices and sizes. It reads each type and field on first use.
 */
export function createSchemaModel(schema: GraphQLSchema, options: FieldModelOptions): SchemaModel {
  const { annotations } = options;
  const inputs = createInputModels(annotations);
  const sets = createTypeSets();
  const fieldModels = createFieldModels(options, inputs, composite);
  const types = new Map<GraphQLNamedType, TypeModel>();
  const byName = new Map<string, TypeModel>();
  const directives = new Map<string, readonly InputModel[]>();

  function composite(type: GraphQLNamedType | undefined | null): TypeModel | undefined {
    if (!isCompositeType(type)) return undefined;
    const known = types.get(type);
    if (known) return known;
    const fields = new Map<string, FieldModel | undefined>();
    let possible: TypeSet | undefined;
    const model: TypeModel = {
      id: types.size,
      name: type.name,
      type,
      isAbstract: isAbstractType(type),
      weight: isAbstractType(type) ? undefined : annotations.weight(type, type.name),
      get possible() {
        possible ??= isAbstractType(type)
          ? sets.of(schema.getPossibleTypes(type).map((each) => composite(each)!))
          : sets.of([model]);
        return possible;
      },
      field(name) {
        let field = fields.get(name);
        if (field === undefined && !fields.has(name)) {
          const definition = definitionOf(type, name);
          field = definition && fieldModels.read(model, definition);
          // Unknown names come from callers. Caching them would let memory grow without limit.
          if (field) fields.set(name, field);
        }
        return field;
      },
      divisionMark: 0,
    };
    types.set(type, model);
    return model;
  }

  function definitionOf(type: GraphQLCompositeType, name: string): GraphQLField<unknown, unknown> | undefined {
    if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
    if (type === schema.getQueryType()) {
      if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
      if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
    }
    if (isUnionType(type)) return undefined;
    const fields = type.getFields();
    return Object.hasOwn(fields, name) ? fields[name] : undefined;
  }

  return {
    schema,
    get hasFunctions() {
      return fieldModels.hasFunctions;
    },
    composite: (name) => {
      const known = byName.get(name);
      if (known) return known;
      const type = composite(schema.getType(name));
      if (type) byName.set(name, type);
      return type;
    },
    root: (operation) => {
      if (operation === 'query') return composite(schema.getQueryType());
      return composite(operation === 'mutation' ? schema.getMutationType() : schema.getSubscriptionType());
    },
    directiveArguments: (name) => {
      const known = directives.get(name);
      if (known) return known;
      const definition = schema.getDirective(name);
      if (!definition) return [];
      const models = definition.args.map((argument) => inputs.argument(argument, `@${name}(${argument.name}:)`));
      const priced = models.filter(canCost);
      directives.set(name, priced);
      return priced;
    },
  };
}
