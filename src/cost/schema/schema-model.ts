import type { GraphQLCompositeType, GraphQLField, GraphQLSchema } from 'graphql';
import type { FieldComplexity } from '../annotations/complexity-function.js';
import type { SizeForm } from '../annotations/size-form-of.js';
import type { InputModel } from './input-model.js';

/** An object, interface or union type as the engine sees it. */
export interface TypeModel {
  readonly id: number;
  readonly name: string;
  readonly type: GraphQLCompositeType;
  readonly isAbstract: boolean;
  /** What a produced object costs, as annotated; undefined: the profile's default. */
  readonly weight: number | undefined;
  /** The object types that a value of this type can be: itself, for an object type. */
  readonly possible: TypeSet;
  /** Undefined for a field that does not exist. */
  field(name: string): FieldModel | undefined;
  /** Kept here for speed by `splitByType`, which alone uses it: the last division that named the type. */
  divisionMark: number;
}

/** A path to the value that gives a list its size: an argument, and input fields below it. */
export interface SlicingPath {
  readonly argument: InputModel;
  readonly below: readonly string[];
  /** How its values give a size. */
  readonly form: SizeForm;
  /** Whether the schema has a value when none is given. */
  readonly hasDefault: boolean;
  /** The default of the schema that stands in for a negative value, which counts as not given. */
  readonly valueWhenNegative: unknown;
  /** Whether it is an argument itself, and of type Int. */
  readonly isPlainInt: boolean;
}

/** Lists below a field that take their size from it, and how to find those of objects further down. */
export interface SizedLists {
  /** Equal for equal ones. */
  readonly key: string;
  /** How many levels below the field these lists are, where they are a page; undefined: an annotation names them. */
  readonly level: number | undefined;
  /** Whether this field of the object is one of them, given that it is a list. */
  sizes(field: FieldModel): boolean;
  /** What is sized below this field of the object; undefined: nothing. */
  through(field: FieldModel): SizedLists | undefined;
}

/** A field of one object type. */
export interface FieldModel {
  readonly name: string;
  readonly owner: TypeModel;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly coordinate: string;
  /** Its own coordinate, and that of the field on each interface that has it. */
  coordinates(): readonly string[];
  /** What a call costs, as annotated; undefined: the profile's default. */
  readonly weight: number | undefined;
  readonly complexity: FieldComplexity | undefined;
  /** `__typename`, and introspection where it is exempted: costs nothing, with all that is below. */
  readonly isFree: boolean;
  readonly arguments: readonly InputModel[];
  /** Those of the arguments whose use can cost anything. */
  readonly pricedArguments: readonly InputModel[];
  readonly slicing: readonly SlicingPath[];
  /** Several slicing arguments, and none, are refused. */
  readonly refusesSeveral: boolean;
  readonly refusesNone: boolean;
  readonly sizedFields: SizedLists | undefined;
  /** Whether the size of a page above replaces that of the field itself; otherwise the larger of both counts. */
  readonly pageSizeWins: boolean;
  /**
   * Levels below the field at which a size below the default list size counts, the field itself being level 0. Deeper down, and
   * everywhere if it is negative, the default size is the least.
   */
  readonly exactLevels: number;
  /** Whether it is a list that page arguments of fields above it size. */
  readonly isPage: boolean;
  /** How many levels below the field the nearest pages are that arguments above it size; 0: none. Found on first use. */
  pageDistance(): number;
  /** Which arguments size what is a guess by their names, and no annotation. */
  readonly isSizeInferred: boolean;
  /** The largest size that a caller may ask for. */
  readonly maxSize: number | undefined;
  /** How long the list is when no slicing argument says so. */
  readonly fallbackSize: number;
  readonly fallbackSource: 'assumedSize' | 'fallback';
  /** How long a list is of which nothing is known. */
  readonly defaultSize: number;
  /** Whether the overlay, a preset or the schema says that, for this list. */
  readonly isDefaultSaid: boolean;
  /** How many levels of lists: 0 for a single value. */
  readonly listDepth: number;
  /** How many items each item of the outermost list holds: more than 1 in lists of lists. */
  readonly innerListSize: number;
  /** The composite type returned; undefined for scalars and enums. */
  readonly child: TypeModel | undefined;
  /** The weight of the scalar or enum returned, as annotated. */
  readonly leafWeight: number | undefined;
  /** Whether it returns a scalar or enum, and nothing is annotated that could give it a price: what most fields are. */
  readonly isBare: boolean;
  /** Kept here for speed by the compiler, which alone uses it. */
  readonly compiled: {
    /** The last level of selections that had this field. */
    mark: number;
    /** What a selection of the field alone, without alias, arguments and directives, compiles to. */
    plain: unknown;
  };
  /** Equal for fields of different object types that cost the same under any selection. */
  signature(): string;
}

export interface SchemaModel {
  readonly schema: GraphQLSchema;
  /** Whether a function prices any of the fields that were asked for so far. */
  readonly hasFunctions: boolean;
  composite(name: string): TypeModel | undefined;
  root(operation: 'query' | 'mutation' | 'subscription'): TypeModel | undefined;
  /** The arguments of a directive whose use can cost anything; empty for one that is unknown. */
  directiveArguments(name: string): readonly InputModel[];
}

/** Object types of a set whose field of one name costs the same under any selection. */
export interface FieldClass {
  readonly types: TypeSet;
  /** The field of any of them. */
  readonly field: FieldModel;
}

/** A set of object types. Equal sets are one object. */
export interface TypeSet {
  readonly types: readonly TypeModel[];
  has(type: TypeModel): boolean;
  /** Those that satisfy a type condition; undefined when none does. */
  narrow(condition: TypeModel): TypeSet | undefined;
  /** The set divided by what its field of this name costs. Empty when there is no such field. */
  classesOf(fieldName: string): readonly FieldClass[];
  /** All of them, as the types of a group. */
  readonly whole: GroupTypes;
  /** The type of a set of one. */
  readonly only: TypeModel | undefined;
  /** Kept here for speed by `collectFields`, which alone uses it: the last level with fields of the set, and where. */
  readonly collected: { mark: number; place: number };
}

/** Some of the object types of a set. */
export interface GroupTypes {
  /** The distinct annotated weights of the types. */
  readonly weights: readonly (number | undefined)[];
  readonly base: TypeSet;
  /** Those that belong here; undefined: all of the base, but for what is left out. */
  readonly members: readonly TypeModel[] | undefined;
  /** Sets whose types do not belong here. */
  readonly without: readonly TypeSet[] | undefined;
}
