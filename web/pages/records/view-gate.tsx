import { type ReactNode, useMemo } from 'react'
import type { ViewBody } from '#api/views.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { DEFAULT_LIST_QUERY, type ListQuery, queryOfView } from '#web/features/list-toolbar/url/list-query-params.ts'
import { type SavedListSettings, settingsOfView } from '#web/views/listing/list-settings.ts'

import { useViews } from '#web/features/saved-views/use-views.ts'
import { ListSkeleton } from './list-skeleton.tsx'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'

export type ActiveView = {
  readonly views: readonly ViewBody[]
  /** Views are loading. */
  readonly areComing: boolean
  readonly view: ViewBody | undefined
  /** The view doesn't exist for this user. */
  readonly isGone: boolean
  /** The query if the URL has no differences. */
  readonly base: ListQuery
  readonly look: SavedListSettings | undefined
}

type ViewGateProps = {
  readonly collection: TypedCollection
  readonly children: (inForce: ActiveView) => ReactNode
}

const NO_VIEWS: readonly ViewBody[] = []

/** Waits for the view before drawing the list, so that no other list flashes. */
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
