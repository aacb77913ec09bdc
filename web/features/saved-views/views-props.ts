import type { ViewBody } from '#api/views.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { NewView } from './view-mutations.ts'

/** What the bar of the views is told. */
export type ViewsBarProps = {
  readonly collection: TypedCollection
  readonly views: readonly ViewBody[]
  /** The views are on their way yet; what can be done with them would be moved by them. */
  readonly areComing: boolean
  /** The one in force. */
  readonly view: ViewBody | undefined
  /** There is none in force. */
  readonly isPlain: boolean
  /** Whether the list shows something else than the view in force, or than the plain list. */
  readonly isChanged: boolean
  /** What the list shows, as a view keeps it. */
  readonly content: Omit<NewView, 'name'>
  readonly onOpen: (view: string | null) => void
  /** Takes back what differs from the view in force. */
  readonly onReset: () => void
  /** What is shown is a view now, and differs in nothing. */
  readonly onSaved: (view: ViewBody, isNew: boolean) => void
}

/** What its buttons and its menu are told besides. */
export type ViewActionsProps = ViewsBarProps & {
  /** The view in force is deleted: the keyboard must go somewhere. */
  readonly onGone: () => void
}

/** What is told of a view of which a part is gone. */
export type ViewNoticeProps = Pick<ViewsBarProps, 'collection' | 'content'> & { readonly view: ViewBody }
