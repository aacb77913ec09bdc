import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { dayText, valueOnDay } from '#domain/views/dates/date-span.ts'
import { totalQuery } from '#web/data/queries/record-list-queries.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { t } from '#web/i18n/t.ts'
import { applyEditsToRow, type RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { listEdits } from '#web/shared/cell-editing/list-cells.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { formatCount } from '#web/shared/formatting/format-value.ts'
import { IconX } from '#web/ui/icons/later.ts'
import { useStore } from '#web/ui/store.ts'
import { withCondition } from '#web/views/listing/use-record-window.ts'
import { datedRecord, mayMove, TIME_ZONE } from '../dates/dated-records.ts'
import { isPlainClick, pickUpByKey } from '../dates/event-link.tsx'
import { rowOf } from '../dates/use-dated-records.ts'
import { More } from './agenda.tsx'
import { type CalendarScene, queryOf, undated, useListedRecords } from './use-calendar-records.ts'

type UndatedButtonProps = {
  readonly scene: CalendarScene
  readonly isShown: boolean
  readonly onToggle: () => void
}

/** Opens the list of records without a date; hidden if there are none. */
export function UndatedButton({ scene: { collection, listing, fields }, isShown, onToggle }: UndatedButtonProps) {
  const listed = withCondition(listing, undated(fields))
  const { data } = useQuery({
    ...totalQuery(collection.name, listed),
    queryKey: queryKeys.recordWindows(collection.name, { ...listed, total: true }),
  })
  const count = data?.total ?? 0
  if (count === 0 && !isShown) return null
  return (
    <Button size="xs" variant={isShown ? 'light' : 'subtle'} aria-expanded={isShown} onClick={onToggle}>
      {t('No date ({count})', { count: `${formatCount(count)}${data?.totalIs === 'atLeast' ? '+' : ''}` })}
    </Button>
  )
}

/** Records without a date, which can be opened, or moved to a day. */
export function UndatedPanel({ scene, onClose }: { readonly scene: CalendarScene; readonly onClose: () => void }) {
  const { collection, fields, actions } = scene
  const { records, isLoading, more, isLoadingMore, error, retry } = useListedRecords(queryOf(scene), undated(fields))
  const edited = useStore(listEdits(collection.id).shown)
  const rows = useMemo(
    () =>
      records
        .map((record) => applyEditsToRow(rowOf(record), edited))
        .filter((row) => datedRecord(collection, fields, row) === undefined),
    [records, edited, collection, fields],
  )
  return (
    <aside className="calendar-undated" aria-label={t('Records without a date')}>
      <header>
        <h2>{t('No date')}</h2>
        <ActionIcon size="sm" aria-label={t('Close')} onClick={onClose}>
          <IconX size={16} stroke={1.5} aria-hidden />
        </ActionIcon>
      </header>
      {error !== null && (
        <div role="alert" className="grid-failure">
          {t('Couldn’t load some records.')}
          <button type="button" className="grid-text-button" onClick={retry}>
            {t('Try again')}
          </button>
        </div>
      )}
      <ul aria-busy={isLoading || undefined}>
        {rows.map((row) => (
          <li key={row.record.id}>
            <UndatedRecord scene={scene} row={row} />
          </li>
        ))}
        {rows.length === 0 && !isLoading && error === null && (
          <li className="calendar-empty">{t('Every record has a date.')}</li>
        )}
        {more && (
          <li>
            <More onMore={more} isLoading={isLoadingMore} loaded={records.length} />
          </li>
        )}
      </ul>
      {rows.length > 0 && actions.change && (
        <p className="calendar-hint">{t('Drag a record to a day, or press Space to move it.')}</p>
      )}
    </aside>
  )
}

function UndatedRecord({ scene, row }: { readonly scene: CalendarScene; readonly row: RecordRow }) {
  const { collection, fields, activeDay, actions, drag } = scene
  const { record } = row
  const isMovable = mayMove(collection, fields, row).all
  const dates = { start: valueOnDay(fields.kind, dayText(activeDay) ?? '', TIME_ZONE), end: null }
  const movable = { row, dates, isUndated: true }
  return (
    <a
      className="event"
      href={actions.hrefOf(record)}
      draggable={false}
      data-event={record.id}
      data-movable={isMovable || undefined}
      data-moving={drag.moving?.row.record.id === record.id || undefined}
      aria-description={isMovable ? t('Space to move') : undefined}
      aria-current={record.id === actions.currentId || undefined}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        actions.open(record)
      }}
      onDragStart={(event) => event.preventDefault()}
      onPointerDown={(event) => drag.press(event, movable, 'both', activeDay)}
      onKeyDown={(event) => pickUpByKey(event, drag, movable)}
    >
      <span className="event-name">{recordTitle(collection, record)}</span>
    </a>
  )
}
