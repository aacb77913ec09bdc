import type { ViewBody } from '#api/views.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { NewView } from './view-mutations.ts'

export type ViewsBarProps = {
  readonly collection: TypedCollection
  readonly views: readonly ViewBody[]
  /** Views are still loading; actions are shown afterwards, so that nothing shifts. */
  readonly areComing: boolean
  readonly view: ViewBody | undefined
  /** No active view. */
  readonly isPlain: boolean
  readonly isChanged: boolean
  readonly content: Omit<NewView, 'name'>
  readonly onOpen: (view: string | null) => void
  readonly onReset: () => void
  readonly onSaved: (view: ViewBody, isNew: boolean) => void
}

export type ViewActionsProps = ViewsBarProps & {
  /** The active view was deleted, so focus must move. */
  readonly onGone: () => void
}

export type ViewNoticeProps = Pick<ViewsBarProps, 'collection' | 'content'> & { readonly view: ViewBody }

const focusTab = (): void => document.querySelector<HTMLElement>('.views-bar [aria-current]')?.focus()

/** The save button no longer exists, so focus moves to the view's tab unless it is elsewhere. */
export function focusCurrentView(): void {
  const at = document.activeElement
  if (isFocusLost(at) || at.closest('.views-bar, .view-notice')) focusTab()
}

/** For dialogs, which restore focus themselves if possible. */
export function restoreViewFocus(): void {
  const at = document.activeElement
  if (isFocusLost(at) || at.closest('[role="dialog"]')) focusTab()
}

const isFocusLost = (at: Element | null): at is null => at === null || at === document.body
