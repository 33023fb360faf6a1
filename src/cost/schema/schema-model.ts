import type { GraphQLCompositeType, GraphQLField, GraphQLSchema } from 'graphql';
import type { FieldComplexity } from '../annotations/complexity-function.js';
import type { SizeForm } from '../annotations/size-form-of.js';
import type { InputModel } from './input-model.js';

/** Model of an object, interface or union type. */
export interface TypeModel {
  readonly id: number;
  readonly name: string;
  readonly type: GraphQLCompositeType;
  readonly isAbstract: boolean;
  /** Annotated weight of a produced object. Undefined if the default of the profile applies. */
  readonly weight: number | undefined;
  /** Object types that a value of this type can have. An object type has only itself. */
  readonly possible: TypeSet;
  /** Returns the model of a field, or undefined if the field does not exist. */
  field(name: string): FieldModel | undefined;
  /** Last division that named the type. Only `splitByType` uses it; it is stored here for speed. */
  divisionMark: number;
}

/** Path to the value that sizes a list: an argument, and input fields below it. */
export interface SlicingPath {
  readonly argument: InputModel;
  readonly below: readonly string[];
  /** Way in which the values give a size. */
  readonly form: SizeForm;
  /** Whether the schema has a default that applies to an absent value. */
  readonly hasDefault: boolean;
  /** Default of the schema that replaces a negative value. Negative values count as absent. */
  readonly valueWhenNegative: unknown;
  /** Whether the path is an argument of type Int. */
  readonly isPlainInt: boolean;
}

/** Lists below a field that take their size from it, directly below or further down. */
export interface SizedLists {
  /** Key that is equal for equal sets of lists. */
  readonly key: string;
  /**
   * Number of levels from the field down to its page lists. Undefined if an annotation names the
   * lists.
   */
  readonly level: number | undefined;
  /** Whether the given list field is one of the sized lists. */
  sizes(field: FieldModel): boolean;
  /** Returns the sized lists below a field of the object, or undefined if there are none. */
  through(field: FieldModel): SizedLists | undefined;
}

/** Model of a field of one type. */
export interface FieldModel {
  readonly name: string;
  readonly owner: TypeModel;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly coordinate: string;
  /** Returns the coordinate of the field, and that of the field on each interface that has it. */
  coordinates(): readonly string[];
  /** Annotated weight of a call. Undefined if the default of the profile applies. */
  readonly weight: number | undefined;
  readonly complexity: FieldComplexity | undefined;
  /**
   * Whether the field and everything below it cost nothing. True for `__typename`, and for
   * introspection if it is exempt.
   */
  readonly isFree: boolean;
  readonly arguments: readonly InputModel[];
  /** Arguments whose use can cost anything. */
  readonly pricedArguments: readonly InputModel[];
  readonly slicing: readonly SlicingPath[];
  /** Whether a call with several slicing arguments is rejected. */
  readonly rejectsSeveral: boolean;
  /** Whether a call without a slicing argument is rejected. */
  readonly rejectsNone: boolean;
  readonly sizedFields: SizedLists | undefined;
  /**
   * Whether the size of a page above replaces the size of the field itself. Otherwise the larger
   * one counts.
   */
  readonly pageSizeWins: boolean;
  /**
   * Deepest level at which a size below the default list size counts; the field itself is level 0.
   * At deeper levels the default size is the minimum. If negative, it is the minimum at every
   * level.
   */
  readonly exactLevels: number;
  /** Whether the field is a list that page arguments of fields above it size. */
  readonly isPage: boolean;
  /**
   * Returns the number of levels down to the nearest pages that arguments above the field size.
   * Returns 0 if there are none. The value is computed on first use.
   */
  pageDistance(): number;
  /** Whether the sizing arguments are inferred from their names, without an annotation. */
  readonly isSizeInferred: boolean;
  /** Largest size that a caller may ask for. */
  readonly maxSize: number | undefined;
  /** Size of the list if no slicing argument gives one. */
  readonly fallbackSize: number;
  readonly fallbackSource: 'assumedSize' | 'fallback';
  /** Size of the list if nothing at all gives one. */
  readonly defaultSize: number;
  /** Whether `defaultSize` is set for this list by the overlay, a preset or the schema. */
  readonly isDefaultGiven: boolean;
  /** Number of list levels of the type: 0 for a single value. */
  readonly listDepth: number;
  /** Number of items in each item of the outermost list: more than 1 for lists of lists. */
  readonly innerListSize: number;
  /** Composite type that the field returns. Undefined for scalars and enums. */
  readonly child: TypeModel | undefined;
  /** Annotated weight of the returned scalar or enum. */
  readonly leafWeight: number | undefined;
  /**
   * Whether the field returns a scalar or enum and has no annotation that could give it a price.
   * Most fields are like that.
   */
  readonly isBare: boolean;
  /** Data of the compiler, stored here for speed. Nothing else uses it. */
  readonly compiled: {
    /** Last level of selections that contained this field. */
    mark: number;
    /** Compiled form of a selection of the field without alias, arguments and directives. */
    plain: unknown;
  };
  /**
   * Returns a text that is equal for fields of different object types that cost the same under any
   * selection.
   */
  signature(): string;
}

export interface SchemaModel {
  readonly schema: GraphQLSchema;
  /** Whether a function prices any of the fields that were read up to now. */
  readonly hasFunctions: boolean;
  composite(name: string): TypeModel | undefined;
  root(operation: 'query' | 'mutation' | 'subscription'): TypeModel | undefined;
  /**
   * Returns the arguments of a directive whose use can cost anything. Returns an empty list for an
   * unknown directive.
   */
  directiveArguments(name: string): readonly InputModel[];
}

/** Object types of a set whose field of one name costs the same under any selection. */
export interface FieldClass {
  readonly types: TypeSet;
  /** Field on one of the types, as a representative of all. */
  readonly field: FieldModel;
}

/** Set of object types. Equal sets are the same object until `MAX_KEPT_SETS` is exceeded. */
export interface TypeSet {
  readonly types: readonly TypeModel[];
  has(type: TypeModel): boolean;
  /** Returns the types that satisfy a type condition, or undefined if there are none. */
  narrow(condition: TypeModel): TypeSet | undefined;
  /**
   * Divides the set by the price of the field of this name. Returns an empty list if no type has
   * such a field.
   */
  classesOf(fieldName: string): readonly FieldClass[];
  /** All types of the set as the types of a group. */
  readonly whole: GroupTypes;
  /** Type of a set of one. Undefined for larger sets. */
  readonly only: TypeModel | undefined;
  /**
   * Last level with fields of the set, and their place. Only `collectFields` uses it; it is stored
   * here for speed.
   */
  readonly collected: { mark: number; place: number };
}

/** Part of the object types of a set. */
export interface GroupTypes {
  /** Distinct annotated weights of the types. */
  readonly weights: readonly (number | undefined)[];
  readonly base: TypeSet;
  /** Types in this part. Undefined for all types of the base except those in `without`. */
  readonly members: readonly TypeModel[] | undefined;
  /** Sets whose types are excluded. */
  readonly without: readonly TypeSet[] | undefined;
}
