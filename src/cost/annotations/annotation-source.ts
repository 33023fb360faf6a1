import { type ConstDirectiveNode, valueFromASTUntyped } from 'graphql';
import { didYouMean } from '../../options/nearest-name.js';
import type { ExactPrice } from './cost-overlay.js';
import type { DirectiveNames } from './directive-names.js';

/** Where annotations are read from, and where mistakes in them are reported. */
export interface AnnotationSource {
  readonly names: DirectiveNames;
  /** An overlay, expanded. */
  readonly overlay: Readonly<Record<string, ExactPrice>> | undefined;
  /** Reports a mistake. */
  readonly refuse: (coordinate: string, message: string) => undefined;
}

/** Anything of a schema that can carry an annotation. */
export interface AnnotatedElement {
  astNode?: { readonly directives?: readonly ConstDirectiveNode[] | undefined } | null | undefined;
  extensionASTNodes?: readonly { readonly directives?: readonly ConstDirectiveNode[] | undefined }[] | undefined;
  extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** What the overlay says of a coordinate. */
export function overlayEntry({ overlay }: AnnotationSource, coordinate: string): ExactPrice | undefined {
  return overlay !== undefined && Object.hasOwn(overlay, coordinate) ? overlay[coordinate] : undefined;
}

/** The arguments of the directives of some name on an element and on its extensions, as plain values. */
export function directivesOf(element: AnnotatedElement, names: ReadonlySet<string>): Record<string, unknown>[] {
  return [element.astNode, ...(element.extensionASTNodes ?? [])]
    .flatMap((node) => node?.directives ?? [])
    .filter(({ name }) => names.has(name.value))
    .map(({ arguments: given = [] }) =>
      Object.fromEntries(given.map(({ name, value }) => [name.value, valueFromASTUntyped(value)])),
    );
}

/**
 * Reports members of `extensions.cost` and `extensions.listSize` that do not exist. Those of directives and overlays are
 * checked where they are read as a whole.
 */
export function refuseUnknownMembers(
  value: object,
  place: { name: string; known: readonly string[]; coordinate: string },
  { refuse }: AnnotationSource,
): void {
  const { name, known, coordinate } = place;
  for (const member of Object.keys(value)) {
    if (known.includes(member)) continue;
    const meant = didYouMean(member, known) || `: expected ${known.join(', ')}`;
    refuse(coordinate, `extensions.${name}.${member} is not read${meant}`);
  }
}
