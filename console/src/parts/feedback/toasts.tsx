import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { commonText } from '../../text/common-text.js';
import { Icon } from '../text/icon.js';

const { toast: text } = commonText;

/**
 * Time after which a toast disappears, in milliseconds. A toast with the pointer or the focus does
 * not disappear.
 */
const SHOWN_MS = 10_000;

/**
 * Delay of the text, in milliseconds. Screen readers announce a text that is added to a status, but
 * not a new status that already contains its text.
 */
const ANNOUNCED_AFTER_MS = 100;

/** Maximum number of toasts at the same time. A further toast removes the oldest one. */
const MOST_TOASTS = 3;

/** A message about a change that was made. */
export interface ToastMessage {
  text: string;
  /** Undoes the change. Resolves to the reason if that failed. Undefined: it cannot be undone. */
  undo?: () => Promise<string | undefined>;
}

interface ShownToast extends ToastMessage {
  id: number;
  /** Whether the text is the reason of a failure. */
  isProblem?: boolean;
}

const ToastContext = createContext<(message: ToastMessage) => void>(() => {});

/** Returns a function that shows a toast. */
export function useToast(): (message: ToastMessage) => void {
  return useContext(ToastContext);
}

/**
 * Shows its children and the toasts above them. F6 moves the focus to the newest toast, and back to
 * the page.
 */
export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([]);
  const list = useRef<HTMLElement>(null);
  const lastId = useRef(0);
  // Element that had the focus before it moved to a toast.
  const origin = useRef<EventTarget>(null);

  const show = useCallback((message: ToastMessage) => {
    lastId.current++;
    const toast = { ...message, id: lastId.current };
    setToasts((before) => [...before.slice(1 - MOST_TOASTS), toast]);
  }, []);
  const remove = (id: number) => setToasts((before) => before.filter((one) => one.id !== id));
  const replace = (id: number, next: Omit<ShownToast, 'id'>) => {
    lastId.current++;
    const shown = { ...next, id: lastId.current };
    setToasts((before) => before.map((one) => (one.id === id ? shown : one)));
  };
  /** Moves the focus back from the toasts to the page. */
  const leave = useCallback(() => {
    if (!list.current?.contains(document.activeElement)) return;
    const isThere = origin.current instanceof HTMLElement && origin.current.isConnected;
    const target = isThere ? (origin.current as HTMLElement) : document.querySelector('main');
    target?.focus({ preventScroll: true });
  }, []);

  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const button = list.current?.lastElementChild?.querySelector('button');
      if (event.key !== 'F6' || !button || document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      if (list.current?.contains(document.activeElement)) leave();
      else button.focus();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [leave]);

  return (
    <ToastContext value={show}>
      {children}
      {toasts.length > 0 && (
        <section
          className="toasts"
          aria-label={text.label}
          ref={list}
          onFocus={({ relatedTarget }) => {
            if (!list.current?.contains(relatedTarget)) origin.current = relatedTarget;
          }}
        >
          {toasts.map((toast) => (
            <Toast
              key={toast.id}
              toast={toast}
              onUndone={(next) => {
                leave();
                replace(toast.id, next);
              }}
              onDismiss={() => {
                leave();
                remove(toast.id);
              }}
              onExpire={() => remove(toast.id)}
            />
          ))}
        </section>
      )}
    </ToastContext>
  );
}

interface ToastProps {
  toast: ShownToast;
  /** Receives the result of undoing the change, to be shown instead. */
  onUndone(next: Omit<ShownToast, 'id'>): void;
  onDismiss(): void;
  onExpire(): void;
}

function Toast({ toast, onUndone, onDismiss, onExpire }: ToastProps) {
  const { undo, isProblem = false } = toast;
  const [isAnnounced, setAnnounced] = useState(false);
  const [isUndoing, setUndoing] = useState(false);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isHeld = isUndoing || isPointed || isFocused;
  const expire = useRef(onExpire);
  expire.current = onExpire;

  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(true), ANNOUNCED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => expire.current(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);

  async function start() {
    if (!undo || isUndoing) return;
    setUndoing(true);
    const problem = await undo();
    onUndone(
      problem === undefined ? { text: text.undone(toast.text) } : { text: text.undoFailed(problem), isProblem: true },
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it has no action of its own; Escape presses its button
    <div
      className={isProblem ? 'toast toast-problem' : 'toast'}
      onMouseEnter={() => setPointed(true)}
      onMouseLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onKeyDown={({ key }) => key === 'Escape' && onDismiss()}
    >
      <p role={isProblem ? 'alert' : 'status'}>
        {isAnnounced && (
          <>
            {toast.text}
            {undo && <span className="visually-hidden"> {text.keyHint}</span>}
          </>
        )}
      </p>
      {undo && (
        // `disabled` would remove the focus from the button, so only `aria-disabled` is set.
        <button type="button" className="button button-small" aria-disabled={isUndoing} onClick={() => void start()}>
          {text.undo}
        </button>
      )}
      <button type="button" className="icon-button" aria-label={text.dismiss} onClick={onDismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}
