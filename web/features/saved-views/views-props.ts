import type { ViewBody } from '#api/views.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { NewView } from './view-mutations.ts'

export type ViewsBarProps = {
  readonly collection: TypedCollection
  readonly views: readonly ViewBody[]
  /** Views are still loading; actions wait, so that nothing shifts. */
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
