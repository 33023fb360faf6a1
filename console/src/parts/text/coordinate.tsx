import { visibleText } from './visible-text.js';

/** Shows `Type.field` with a possible line break after the dot. */
export function Coordinate({ children }: { children: string }) {
  const [type, ...field] = visibleText(children).split('.');
  return (
    <bdi className="coordinate mono">
      {type}
      {field.length > 0 && (
        <>
          .<wbr />
          {field.join('.')}
        </>
      )}
    </bdi>
  );
}
