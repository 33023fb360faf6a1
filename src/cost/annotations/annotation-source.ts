import { type ConstDirectiveNode, valueFromASTUntyped } from 'graphql';
import { didYouMean } from '../../options/nearest-name.js';
import type { ExactPrice } from './cost-overlay.js';
import type { DirectiveNames } from './directive-names.js';

/** Source of the annotations of a schema, and receiver of the mistakes found in them. */
export interface AnnotationSource {
  readonly names: DirectiveNames;
  /** Overlay whose patterns are already expanded to coordinates. */
  readonly overlay: Readonly<Record<string, ExactPrice>> | undefined;
  /** Reports a mistake. */
  readonly reject: (coordinate: string, message: string) => undefined;
}

/** Schema element that can have an annotation: a type, a field, an argument or an input field. */
export interface AnnotatedElement {
  astNode?: { readonly directives?: readonly ConstDirectiveNode[] | undefined } | null | undefined;
  extensionASTNodes?: readonly { readonly directives?: readonly ConstDirectiveNode[] | undefined }[] | undefined;
  extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the overlay entry of a coordinate, or undefined if the overlay has none. */
export function overlayEntry({ overlay }: AnnotationSource, coordinate: string): ExactPrice | undefined {
  return overlay !== undefined && Object.hasOwn(overlay, coordinate) ? overlay[coordinate] : undefined;
}

/**
 * Returns the arguments of all directives with one of `names`, on the element and on its
 * extensions, as plain values.
 */
export function directivesOf(element: AnnotatedElement, names: ReadonlySet<string>): Record<string, unknown>[] {
  return [element.astNode, ...(element.extensionASTNodes ?? [])]
    .flatMap((node) => node?.directives ?? [])
    .filter(({ name }) => names.has(name.value))
    .map(({ arguments: given = [] }) =>
      Object.fromEntries(given.map(({ name, value }) => [name.value, valueFromASTUntyped(value)])),
    );
}

/**
 * Reports unknown members of `extensions.cost` and `extensions.listSize`. Other code checks the
 * arguments of directives and the members of overlays.
 */
export function rejectUnknownMembers(
  value: object,
  place: { name: string; known: readonly string[]; coordinate: string },
  { reject }: AnnotationSource,
): void {
  const { name, known, coordinate } = place;
  for (const member of Object.keys(value)) {
    if (known.includes(member)) continue;
    const meant = didYouMean(member, known) || `: expected ${known.join(', ')}`;
    reject(coordinate, `extensions.${name}.${member} is ignored${meant}`);
  }
}
