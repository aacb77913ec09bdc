import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useState } from 'react'
import {
  blocksAround,
  type Listing,
  type Neighbors,
  neighborsOf,
  placesQuery,
  POSITIONS_PER_BLOCK,
  type RecordPosition,
} from '#web/data/queries/record-list-queries.ts'
import { recordQuery } from '#web/data/queries/record-queries.ts'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { lastStatusChangeQuery, requiresComment } from '#web/shared/workflow/transition-queries.ts'
import { type DraftStatus, type RecordDraft, statusOf } from '#web/shared/record-drafts/record-draft.ts'
import { IconArrowDown, IconArrowUp, IconCheck } from '#web/ui/icons/general.ts'
import { IconCloudUpload } from '#web/ui/icons/later.ts'
import { IconAlertTriangle } from '#web/ui/icons/start.ts'
import './record-view.css'

export type ListPosition = {
  readonly listing: Listing
  readonly ordinal: number
  readonly total?: number | undefined
}

const NO_NEIGHBORS: Neighbors = { previous: undefined, next: undefined, ordinal: 0 }

/** The previous and next records; undefined at the respective end of the list, or if there is no list. */
export function useNeighbors(
  collection: TypedCollection,
  position: ListPosition | undefined,
  recordId: string,
): Neighbors {
  const blocks = position ? blocksAround(position.ordinal) : []
  const known = useQueries({
    queries: position ? blocks.map((block) => placesQuery(collection.name, position.listing, block)) : [],
  })
  const idAt = (ordinal: number): string | undefined =>
    known[blocks.indexOf(Math.floor(ordinal / POSITIONS_PER_BLOCK))]?.data?.[ordinal % POSITIONS_PER_BLOCK]
  const beside = position ? neighborsOf({ idAt, id: recordId, ordinal: position.ordinal }) : NO_NEIGHBORS
  usePrefetchNeighbors(collection, beside.next?.id)
  usePrefetchNeighbors(collection, beside.previous?.id)
  return beside
}

/** Prefetches the previous and next records, so that stepping to them is immediate. */
function usePrefetchNeighbors(collection: TypedCollection, id: string | undefined): void {
  const { name } = collection
  const hasComments = requiresComment(collection)
  const queryClient = useQueryClient()
  useEffect(() => {
    if (id === undefined) return undefined
    // Delayed, so that fast stepping doesn't prefetch every record.
    const timer = setTimeout(() => {
      void queryClient.prefetchQuery(recordQuery(name, id))
      if (hasComments) void queryClient.prefetchQuery(lastStatusChangeQuery(collection, id))
    }, 150)
    return () => clearTimeout(timer)
  }, [queryClient, collection, name, hasComments, id])
}

export type HeaderSlots = { readonly state: HTMLElement | null; readonly menu: HTMLElement | null }

type RecordHeaderProps = {
  readonly position: ListPosition | undefined
  readonly beside: Neighbors
  readonly onStep: (to: RecordPosition) => void
  readonly onSlots: {
    readonly state: (place: HTMLElement | null) => void
    readonly menu: (place: HTMLElement | null) => void
  }
  readonly actions?: ReactNode
  readonly close?: ReactNode
}

export function useHeaderSlots() {
  const [state, setState] = useState<HTMLElement | null>(null)
  const [menu, setMenu] = useState<HTMLElement | null>(null)
  return { slots: { state, menu }, onSlots: { state: setState, menu: setMenu } }
}

/** Stays mounted and keeps focus when the user steps to another record. */
export function RecordHeader({ position, beside, onStep, onSlots, actions, close }: RecordHeaderProps) {
  return (
    <div className="record-bar">
      <div ref={onSlots.state} className="record-bar-state" />
      <span className="record-place">{position && placeInList(position, beside.ordinal)}</span>
      <div className="record-bar-end">
        {position && (
          <>
            <Step label={t('Previous record')} keys="K" to={beside.previous} onStep={onStep} icon={IconArrowUp} />
            <Step label={t('Next record')} keys="J" to={beside.next} onStep={onStep} icon={IconArrowDown} />
          </>
        )}
        {actions}
        <div ref={onSlots.menu} className="record-bar-menu" />
        {close}
      </div>
    </div>
  )
}

/** Empty until the total is known. */
function placeInList({ total }: ListPosition, ordinal: number): string {
  return total === undefined || ordinal >= total ? '' : t('{ordinal} of {total}', { ordinal: ordinal + 1, total })
}

type StepProps = {
  readonly label: string
  readonly keys: string
  readonly to: RecordPosition | undefined
  readonly onStep: (to: RecordPosition) => void
  readonly icon: typeof IconArrowUp
}

/** A button that remains focusable at the end of the list. */
function Step({ label, keys, to, onStep, icon: Icon }: StepProps) {
  return (
    <Tooltip label={`${label} (${keys})`}>
      <ActionIcon
        aria-label={label}
        aria-keyshortcuts={`${keys} Alt+${keys}`}
        aria-disabled={to === undefined}
        {...(to === undefined && { 'data-disabled': true })}
        onClick={() => to && onStep(to)}
      >
        <Icon size={18} stroke={1.5} />
      </ActionIcon>
    </Tooltip>
  )
}

const EDITABLE_SELECTOR =
  'input:not([type="checkbox"], [type="radio"], [type="file"]), textarea, select, [contenteditable="true"]'

/** J and K step through records; with Alt, also while typing. */
export function stepOfKey(event: KeyboardEvent): 'previous' | 'next' | undefined {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey
  const isTyping = event.target instanceof Element && event.target.closest(EDITABLE_SELECTOR) !== null
  if (!isPlain || (isTyping && !event.altKey)) return undefined
  // With Alt, some keyboards produce a different character, so the physical key is used.
  const key = event.altKey ? event.code : `Key${event.key.toUpperCase()}`
  if (key === 'KeyJ') return 'next'
  return key === 'KeyK' ? 'previous' : undefined
}

/** The name of the focused field, so that it can be focused in the next record, too. */
export const fieldOfKeyboard = (place: HTMLElement | null): string | undefined =>
  place?.contains(document.activeElement) === true
    ? document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset['field']
    : undefined

/** Restores focus after stepping to another record, to the same field if possible. */
export function keepKeyboard(place: RefObject<HTMLElement | null>, field: string | undefined): void {
  const isLost = document.activeElement === null || document.activeElement === document.body
  if (!isLost) return
  const input =
    field === undefined
      ? null
      : place.current?.querySelector<HTMLElement>(
          `[data-field="${CSS.escape(field)}"] :is(input, textarea, button, [contenteditable="true"])`,
        )
  ;(input ?? place.current)?.focus()
}

const STATUS_LABELS: { readonly [Status in DraftStatus]: string } = {
  saved: t('Saved'),
  waiting: t('Not saved yet'),
  saving: t('Saving…'),
  invalid: t('Not saved: check the highlighted field'),
  conflict: t('Not saved: conflicts with someone else’s edit'),
  failed: t('Not saved'),
}

function wordsFor(status: DraftStatus, { isUnsent, isMarked }: Pick<SaveStatusProps, 'isUnsent' | 'isMarked'>): string {
  if (status === 'invalid' && !isMarked) return t('Not saved: a validation rule failed')
  return status === 'saved' && isUnsent ? t('Kept in this browser, not sent yet') : STATUS_LABELS[status]
}

const needsAttention = (status: DraftStatus): boolean =>
  status === 'invalid' || status === 'conflict' || status === 'failed'

type SaveStatusProps = {
  readonly draft: RecordDraft
  /** Whether the record was created offline and hasn't been sent. */
  readonly isUnsent: boolean
  readonly isMarked: boolean
  readonly onRetry: () => void
}

export function SaveStatus({ draft, isUnsent, isMarked, onRetry }: SaveStatusProps) {
  const status = statusOf(draft)
  const words = wordsFor(status, { isUnsent, isMarked })
  const isDone = status === 'saved' && !isUnsent
  const Icon = needsAttention(status) ? IconAlertTriangle : isDone ? IconCheck : IconCloudUpload
  return (
    <div className="save-status" data-status={status}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <span className="save-words">{words}</span>
      {/* Announces only states that matter to the user, instead of every keystroke. */}
      <span role="status" className="visually-hidden">
        {needsAttention(status) || status === 'saved'
          ? `${words}${draft.failure ? `. ${draft.failure.detail}` : ''}`
          : ''}
      </span>
      {status === 'failed' && (
        <>
          {draft.failure && (
            <span className="save-detail">
              {t('{title}. Your changes are kept in this browser.', { title: draft.failure.title })}
            </span>
          )}
          <Button size="xs" onClick={onRetry}>
            {t('Try again')}
          </Button>
        </>
      )}
    </div>
  )
}
