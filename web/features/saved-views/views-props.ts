import type { ViewBody } from '#api/views.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { NewView } from './view-mutations.ts'

export type ViewsBarProps = {
  readonly collection: TypedCollection
  readonly views: readonly ViewBody[]
  /** Whether views are still loading; actions are shown afterwards to avoid layout shifts. */
  readonly areComing: boolean
  readonly view: ViewBody | undefined
  /** Whether no view is active. */
  readonly isPlain: boolean
  readonly isChanged: boolean
  readonly content: Omit<NewView, 'name'>
  readonly onOpen: (view: string | null) => void
  readonly onReset: () => void
  readonly onSaved: (view: ViewBody, isNew: boolean) => void
}

export type ViewActionsProps = ViewsBarProps & {
  /** Called when the active view was deleted, so that focus can move. */
  readonly onGone: () => void
}

export type ViewNoticeProps = Pick<ViewsBarProps, 'collection' | 'content'> & { readonly view: ViewBody }

const focusTab = (): void => document.querySelector<HTMLElement>('.views-bar [aria-current]')?.focus()

/** Moves focus from the removed save button to the view's tab, unless another element has focus. */
export function focusCurrentView(): void {
  const at = document.activeElement
  if (isFocusLost(at) || at.closest('.views-bar, .view-notice')) focusTab()
}

/** Fallback for dialogs, which restore focus themselves if possible. */
export function restoreViewFocus(): void {
  const at = document.activeElement
  if (isFocusLost(at) || at.closest('[role="dialog"]')) focusTab()
}

const isFocusLost = (at: Element | null): at is null => at === null || at === document.body
