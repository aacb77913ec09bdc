import { type ReactNode, useMemo } from 'react'
import type { ViewBody } from '#api/views.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { type ListQuery, DEFAULT_LIST_QUERY } from '#web/features/list-toolbar/url/list-query-params.ts'
import { queryOfView } from '#web/features/list-toolbar/url/view-query.ts'
import { type SavedListSettings, settingsOfView } from '#web/views/listing/list-settings.ts'

import { useViews } from '#web/features/saved-views/use-views.ts'
import { ListSkeleton } from './list-skeleton.tsx'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'

/** The view that is in force, and what it says. */
export type ActiveView = {
  readonly views: readonly ViewBody[]
  /** The views are on their way yet. */
  readonly areComing: boolean
  readonly view: ViewBody | undefined
  /** The address names a view that is not there for whoever asks. */
  readonly isGone: boolean
  /** What the list shows where the address says nothing. */
  readonly base: ListQuery
  readonly look: SavedListSettings | undefined
}

type ViewGateProps = {
  readonly collection: TypedCollection
  readonly children: (inForce: ActiveView) => ReactNode
}

const NO_VIEWS: readonly ViewBody[] = []

/** Finds the view that the address names before the list is drawn, so that nobody sees another list first. */
export function ViewGate({ collection, children }: ViewGateProps) {
  const { views, view, is, error, retry } = useViews(collection)
  const base = useMemo(() => (view ? queryOfView(view) : DEFAULT_LIST_QUERY), [view])
  const look = useMemo(() => view && settingsOfView(collection, view), [collection, view])
  if (is === 'waiting') return <ListSkeleton label={collection.label} />
  if (is === 'failed' && error) {
    return (
      <PageFrame title={collection.label} width="full">
        <FailureNotice error={error} onRetry={retry} />
      </PageFrame>
    )
  }
  const areComing = views === undefined && error === null
  return children({ views: views ?? NO_VIEWS, areComing, view, isGone: is === 'gone', base, look })
}
