import { useEffect, useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { useIsReachable } from '#web/data/session/use-session.ts'
import { listText } from '#web/i18n/locale.ts'
import { Say } from '#web/i18n/say.tsx'
import { plural, t } from '#web/i18n/t.ts'
import type { ListEdits } from '#web/shared/cell-editing/list-cells.ts'
import { createStore, useStore } from '#web/ui/store.ts'
import type { ListingRows } from './use-listing-rows.ts'
import './list-notices.css'
import { formatCount } from '#web/shared/formatting/format-value.ts'
import { GRID_TEXTS_EN, type GridTexts } from '#web/ui/grid/grid-props.ts'

/** In ms: delay before a message says that loading the list is slow. */
const SLOW_AFTER_MS = 1000

const NEVER = createStore(false)

type ListNoticesProps = {
  readonly lines: ListingRows
  /** Undefined for views that are refreshed after each edit. */
  readonly cells: ListEdits | undefined
  readonly recalculating: readonly Field[]
}

export function ListNotices({ lines, cells, recalculating }: ListNoticesProps) {
  const { isStale, retry, source } = lines
  const isOutdated = useStore(cells?.isOutdated ?? NEVER)
  // If the server is unreachable, the page already reports this.
  const isReachable = useIsReachable()
  const isWaiting = source.kind === 'page' && source.loadingRows !== undefined
  return (
    <>
      <SlowNotice isWaiting={isWaiting && lines.error === null} />
      <RecalculationNotice fields={recalculating} />
      {isOutdated && (
        <div role="status" className="list-outdated">
          <Say
            text="Edited records stay here until you update the list.<button>Update list</button>"
            parts={{
              button: (inner) => (
                <button
                  type="button"
                  className="grid-text-button"
                  onClick={() => cells?.withGridActions(({ list }) => list.leave())}
                >
                  {inner}
                </button>
              ),
            }}
          />
        </div>
      )}
      {isStale && isReachable && (
        <div role="alert" className="grid-failure">
          <Say
            text="Couldn’t refresh this list. It may be out of date.<button>Try again</button>"
            parts={{
              button: (inner) => (
                <button type="button" className="grid-text-button" onClick={retry}>
                  {inner}
                </button>
              ),
            }}
          />
        </div>
      )}
    </>
  )
}

function RecalculationNotice({ fields }: { readonly fields: readonly Field[] }) {
  const labels = listText(fields.map(({ label }) => label))
  return (
    <div role="status" className={fields.length > 0 ? 'list-outdated' : undefined}>
      {fields.length > 0 &&
        t('Some values aren’t current, because these fields are being recalculated: {labels}', { labels })}
    </div>
  )
}

/** Shown over the list, to avoid layout shifts. */
export function SlowNotice({ isWaiting }: { readonly isWaiting: boolean }) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isWaiting])
  return (
    <p role="status" className="list-slow">
      {isSlow && <span>{t('Still loading: the server is slow to respond.')}</span>}
    </p>
  )
}

export const RECORD_GRID_TEXTS: GridTexts = {
  ...GRID_TEXTS_EN,
  rows: (count) => plural(count, '{n} record', '{n} records'),
  rowsInAll: (total) => {
    if (total.is === 'unknown') return ''
    return total.is === 'exact'
      ? plural(total.count, '{n} record', '{n} records')
      : `${formatCount(total.count)}+ records`
  },
  openRow: (name) => (name === '' ? t('Open record') : t('Open {name}', { name })),
  selectRow: (name) => (name === '' ? t('Select record') : t('Select {name}', { name })),
  selectPage: t('Select all records on this page'),
  selectEverything: t('Select all records'),
  rowsFailed: t('Couldn’t load some records.'),
  perPage: t('Records per page'),
}

export function describeHiddenHits(labels: readonly string[]): string {
  const [first = '', second] = labels
  if (second === undefined) return t('in {first}', { first })
  return labels.length === 2
    ? t('in {first} and {second}', { first, second })
    : t('in {first} and {labelsCount} more', { first, labelsCount: labels.length - 1 })
}
