import { ActionIcon, Tooltip } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { deletedRecords } from '#web/data/queries/record-queries.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { useFollow } from '#web/shared/navigation/app-link.tsx'
import { IconArrowsDiagonal, IconX } from '#web/ui/icons/later.ts'
import { t } from '#web/i18n/t.ts'
import { listEdits } from '#web/shared/cell-editing/list-cells.ts'
import { RecordView } from '#web/features/record/record-view.tsx'
import type { ListPosition } from '#web/features/record/use-neighbors.ts'
import { allowedWidths, usePanelWidth } from '#web/features/record/panel-width.tsx'
import './record-panel.css'

export type RecordPanelProps = {
  readonly collection: TypedCollection
  readonly recordId: string
  readonly position: ListPosition | undefined
  /** URL of the record page with its list. */
  readonly href: string
  /** No room for a side panel: it covers the list. */
  readonly isSheet: boolean
  readonly onGo: (recordId: string, ordinal: number) => void
  readonly onOpen: (recordId: string) => void
  readonly onClose: () => void
}

export function RecordPanel({
  collection,
  recordId,
  position,
  href,
  isSheet,
  onGo,
  onOpen,
  onClose,
}: RecordPanelProps) {
  const panel = useRef<HTMLElement>(null)
  const id = useId()
  const width = usePanelWidth(panel)
  useLeaveWithRecord(recordId, onClose)
  useEffect(() => {
    // A record without a title already has focus.
    if (panel.current?.contains(document.activeElement) === true) return
    panel.current?.querySelector<HTMLElement>('.record-view')?.focus({ preventScroll: true })
  }, [])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isOwn(panel.current, event.target)) return
    event.preventDefault()
    onClose()
  }
  return (
    <section
      ref={panel}
      id={id}
      className="record-panel"
      data-sheet={isSheet || undefined}
      aria-label={t('Record in {label}', { label: collection.label })}
      style={isSheet ? undefined : { width: width.widthPx }}
      onKeyDown={onKeyDown}
    >
      {!isSheet && <ResizeHandle {...width} panelId={id} />}
      <div className="record-panel-scroll">
        <RecordView
          collection={collection}
          recordId={recordId}
          position={position}
          list={listEdits(collection.id)}
          onGo={onGo}
          onOpen={onOpen}
          onLeave={onClose}
          leaveLabel={t('Close')}
          actions={<OpenInFull href={href} />}
          close={
            <Tooltip label={t('Close (Esc)')}>
              <ActionIcon aria-label={t('Close record')} aria-keyshortcuts="Escape" onClick={onClose}>
                <IconX size={18} stroke={1.5} />
              </ActionIcon>
            </Tooltip>
          }
        />
      </div>
    </section>
  )
}

function OpenInFull({ href }: { readonly href: string }) {
  const follow = useFollow()
  return (
    <Tooltip label={t('Open full page')}>
      <ActionIcon component="a" href={href} aria-label={t('Open full page')} onClick={follow}>
        <IconArrowsDiagonal size={18} stroke={1.5} />
      </ActionIcon>
    </Tooltip>
  )
}

/** Open popups and lists handle Escape first. */
function isOwn(panel: HTMLElement | null, target: EventTarget): boolean {
  return (
    target instanceof Element && panel?.contains(target) === true && target.closest('[aria-expanded="true"]') === null
  )
}

/** Closes the panel when its record is deleted in the list. */
function useLeaveWithRecord(recordId: string, onClose: () => void): void {
  const close = useRef(onClose)
  useLayoutEffect(() => {
    close.current = onClose
  })
  useEffect(() => deletedRecords.subscribe((ids) => ids.has(recordId) && close.current()), [recordId])
}

const WIDTH_STEP_PX = { small: 16, large: 64 } as const

type ResizeHandleProps = {
  readonly widthPx: number
  readonly roomPx: number
  readonly panelId: string
  readonly onWidth: (widthPx: number | undefined, isFinal: boolean) => void
}

/** Drag or arrow keys resize; a double click resets. */
function ResizeHandle({ widthPx, roomPx, panelId, onWidth }: ResizeHandleProps) {
  const { leastPx, mostPx } = allowedWidths(roomPx)
  const drag = useDrag(onWidth, widthPx)
  const set = (next: number) => onWidth(Math.min(Math.max(next, leastPx), mostPx), true)
  const onKeyDown = (event: KeyboardEvent) => {
    const stepPx = event.shiftKey ? WIDTH_STEP_PX.large : WIDTH_STEP_PX.small
    const wider = document.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    const narrower = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const next = new Map([
      [wider, widthPx + stepPx],
      [narrower, widthPx - stepPx],
      ['Home', leastPx],
      ['End', mostPx],
    ]).get(event.key)
    if (next === undefined) return
    event.preventDefault()
    set(next)
  }
  return (
    // A focusable separator is a widget with a value.
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('Side panel width')}
      aria-controls={panelId}
      aria-valuenow={widthPx}
      aria-valuemin={leastPx}
      aria-valuemax={mostPx}
      aria-valuetext={t('{widthPx} pixels', { widthPx })}
      className="panel-grip"
      onKeyDown={onKeyDown}
      onDoubleClick={() => onWidth(undefined, true)}
      {...drag}
    />
  )
}

type Drag = { readonly fromX: number; readonly fromPx: number; lastPx: number }

function useDrag(onWidth: ResizeHandleProps['onWidth'], widthPx: number) {
  const drag: RefObject<Drag | undefined> = useRef(undefined)
  const end = () => {
    if (drag.current && drag.current.lastPx !== drag.current.fromPx) onWidth(drag.current.lastPx, true)
    drag.current = undefined
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      drag.current = { fromX: event.clientX, fromPx: widthPx, lastPx: widthPx }
    },
    onPointerMove: (event: PointerEvent) => {
      if (!drag.current) return
      const sign = document.dir === 'rtl' ? 1 : -1
      drag.current.lastPx = Math.round(drag.current.fromPx + sign * (event.clientX - drag.current.fromX))
      onWidth(drag.current.lastPx, false)
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
