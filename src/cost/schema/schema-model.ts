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
  /**
   * Annotated weight of an object of this type. Undefined if the default of the profile applies.
   */
  readonly weight: number | undefined;
  /** Object types that a value of this type can have. An object type has only itself. */
  readonly possible: TypeSet;
  /** Returns the model of a field, or undefined if the field does not exist. */
  field(name: string): FieldModel | undefined;
  /**
   * Number of the last call of `splitByType` that marked the type. No other function uses it. It is
   * stored here for speed.
   */
  divisionMark: number;
}

/** Path to the value that sizes a list: an argument, and input fields below it. */
export interface SlicingPath {
  readonly argument: InputModel;
  readonly below: readonly string[];
  /** Rule that reads the size from the value. */
  readonly form: SizeForm;
  /** Whether the schema has a default that applies if the value is absent. */
  readonly hasDefault: boolean;
  /**
   * Default of the schema that replaces a negative value, because negative values count as absent.
   */
  readonly valueWhenNegative: unknown;
  /**
   * Whether the path is an argument of type Int whose size may be below the default list size. Such
   * sizes are computed by faster code.
   */
  readonly isPlainInt: boolean;
}

/** Lists whose size is set by a field above them, at any level below that field. */
export interface SizedLists {
  /** Key that is the same for equal sets of lists. */
  readonly key: string;
  /**
   * Number of levels from the field down to the lists, for page lists. Undefined if the lists are
   * those in `sizedFields` of an annotation.
   */
  readonly level: number | undefined;
  /** Returns whether a list field is one of the sized lists. */
  sizes(field: FieldModel): boolean;
  /** Returns the sized lists below a field, or undefined if there are none. */
  through(field: FieldModel): SizedLists | undefined;
}

/** Model of a field of one type. */
export interface FieldModel {
  readonly name: string;
  readonly owner: TypeModel;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly coordinate: string;
  /**
   * Returns the coordinate of the field, followed by its coordinates on the interfaces that have
   * it.
   */
  coordinates(): readonly string[];
  /** Annotated weight of one call. Undefined if the default of the profile applies. */
  readonly weight: number | undefined;
  readonly complexity: FieldComplexity | undefined;
  /**
   * Whether the field and everything below it cost nothing. True for `__typename`, and for
   * introspection if it is exempt.
   */
  readonly isFree: boolean;
  readonly arguments: readonly InputModel[];
  /** Arguments whose values can have a cost. */
  readonly pricedArguments: readonly InputModel[];
  readonly slicing: readonly SlicingPath[];
  /** Whether a call with several slicing arguments is rejected. */
  readonly rejectsSeveral: boolean;
  /** Whether a call without a slicing argument is rejected. */
  readonly rejectsNone: boolean;
  readonly sizedFields: SizedLists | undefined;
  /**
   * Whether the size that a field sets for a list in its `sizedFields` replaces the size of the
   * list itself. Otherwise the larger size applies.
   */
  readonly pageSizeWins: boolean;
  /**
   * Deepest level at which the arguments may set a size below the default list size. The field
   * itself is at level 0. At deeper levels, a list has at least the default size. If negative,
   * lists at every level have at least the default size.
   */
  readonly exactLevels: number;
  /**
   * Whether the field is a page list (`page-lists.ts`): page arguments of fields above it, such as
   * `first`, may set its size.
   */
  readonly isPage: boolean;
  /**
   * Returns the number of levels from this field down to the nearest page lists, whose size is set
   * by page arguments above this field. Returns 0 if there are none. The value is computed on first
   * use.
   */
  pageDistance(): number;
  /** Whether the sizing arguments are inferred from their names, without an annotation. */
  readonly isSizeInferred: boolean;
  /** Largest size that a caller may request. */
  readonly maxSize: number | undefined;
  /** Size of the list if no slicing argument sets one. */
  readonly fallbackSize: number;
  /** Source of `fallbackSize`: an annotation (`assumedSize`), or `defaultSize` (`fallback`). */
  readonly fallbackSource: 'assumedSize' | 'fallback';
  /**
   * Size of the list if nothing else determines it: its `defaultSize` annotation, or else the
   * default list size.
   */
  readonly defaultSize: number;
  /** Whether `defaultSize` is set for this list by the overlay, a preset or the schema. */
  readonly isDefaultGiven: boolean;
  /** Number of list levels of the type: 0 for a single value. */
  readonly listDepth: number;
  /**
   * Number of inner items per item of the outermost list, for lists of lists. It is 1 for all other
   * fields.
   */
  readonly innerListSize: number;
  /** Composite type that the field returns. Undefined for scalars and enums. */
  readonly child: TypeModel | undefined;
  /** Annotated weight of the returned scalar or enum. */
  readonly leafWeight: number | undefined;
  /**
   * Whether the field returns a scalar or enum and has no annotation that affects its price. This
   * is true for most fields.
   */
  readonly isBare: boolean;
  /** Data that only the compiler uses. It is stored here for speed. */
  readonly compiled: {
    /** Number of the last call of `readSimpleFields` that found this field. */
    mark: number;
    /** Compiled form of a selection of the field without alias, arguments and directives. */
    plain: unknown;
  };
  /**
   * Returns a string that is the same for fields of different object types that cost the same with
   * any selection.
   */
  signature(): string;
}

export interface SchemaModel {
  readonly schema: GraphQLSchema;
  /** Whether any of the fields that have been read has a price function. */
  readonly hasFunctions: boolean;
  /**
   * Returns the model of an object, interface or union type. Returns undefined for any other name.
   */
  composite(name: string): TypeModel | undefined;
  /** Returns the model of a root type. Returns undefined if the schema has no such root type. */
  root(operation: 'query' | 'mutation' | 'subscription'): TypeModel | undefined;
  /**
   * Returns the arguments of a directive whose values can have a cost. Returns an empty list for an
   * unknown directive.
   */
  directiveArguments(name: string): readonly InputModel[];
}

/** Object types of a set on which the fields of one name cost the same, with any selection. */
export interface FieldClass {
  readonly types: TypeSet;
  /** Field on one of the types, as a representative of all. */
  readonly field: FieldModel;
}

/**
 * Set of object types. Equal sets are the same object, unless the cache of sets was cleared because
 * it was full.
 */
export interface TypeSet {
  readonly types: readonly TypeModel[];
  has(type: TypeModel): boolean;
  /** Returns the types that match a type condition, or undefined if there are none. */
  narrow(condition: TypeModel): TypeSet | undefined;
  /**
   * Divides the set into classes of types on which the field `fieldName` has the same price.
   * Returns an empty list if no type has such a field.
   */
  classesOf(fieldName: string): readonly FieldClass[];
  /** All types of the set, in the form of `GroupTypes`. */
  readonly whole: GroupTypes;
  /** The type, if the set contains exactly one. Otherwise undefined. */
  readonly only: TypeModel | undefined;
  /**
   * Number of the last call of `collectFields` that found fields of the set, and the index of its
   * entry. No other function uses it. It is stored here for speed.
   */
  readonly collected: { mark: number; place: number };
}

/** Types of one group of a plan (`PlanGroup`): a subset of the types of a set. */
export interface GroupTypes {
  /** Distinct annotated weights of the types. */
  readonly weights: readonly (number | undefined)[];
  readonly base: TypeSet;
  /**
   * Types of this subset. If undefined, the subset has all types of `base` except those in
   * `without`.
   */
  readonly members: readonly TypeModel[] | undefined;
  /** Sets whose types are excluded. */
  readonly without: readonly TypeSet[] | undefined;
}
