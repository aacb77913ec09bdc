import { SlowNotice } from '#web/views/listing/list-notices.tsx'
import { TABLE } from '#domain/specification.ts'
import '#web/ui/grid/grid.css'
import '#web/features/saved-views/views.css'
import { t } from '#web/i18n/t.ts'
import './records-page.css'
import './list-skeleton.css'

type ListSkeletonProps = {
  /** The collection's label, once known. */
  readonly label?: string
}

/** Has the height of a list in every part, so that nothing shifts. */
export function ListSkeleton({ label }: ListSkeletonProps) {
  return (
    <div className="records-room">
      <div className="records-page list-skeleton" role="status" aria-busy aria-label={t('Loading')}>
        <header className="records-head">
          <h1>{label ?? <NameSkeleton />}</h1>
        </header>
        <div className="views-bar" />
        <div className="records-tools">
          <div className="list-skeleton-search" />
        </div>
        <div className="records-grid list-skeleton-rows">
          {Array.from({ length: Number(TABLE.defaultPageSize) + 1 }, (_, at) => (
            <div key={at}>
              <span className="grid-skeleton" style={{ width: `${18 + ((at * 37) % 14)}%` }} />
              <span className="grid-skeleton" style={{ width: `${8 + ((at * 29) % 10)}%` }} />
              <span className="grid-skeleton" style={{ width: `${10 + ((at * 23) % 9)}%` }} />
            </div>
          ))}
          <SlowNotice isWaiting />
        </div>
      </div>
    </div>
  )
}

function NameSkeleton() {
  return (
    <>
      <span className="visually-hidden">{t('Records')}</span>
      <span className="grid-skeleton list-skeleton-title" />
    </>
  )
}
