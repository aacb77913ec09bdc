import { ActionIcon, Tooltip } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react'
import { IconArrowDown, IconArrowUp } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import type { Neighbors, RecordPosition } from '#web/data/queries/record-list-queries.ts'
import type { ListPosition } from './use-neighbors.ts'
import './record-view.css'

/** Places of the bar that the record itself fills, once it is there. */
export type HeaderSlots = { readonly state: HTMLElement | null; readonly menu: HTMLElement | null }

type RecordHeaderProps = {
  readonly position: ListPosition | undefined
  readonly beside: Neighbors
  readonly onStep: (to: RecordPosition) => void
  readonly onSlots: {
    readonly state: (place: HTMLElement | null) => void
    readonly menu: (place: HTMLElement | null) => void
  }
  /** What else can be asked about it, before its menu. */
  readonly actions?: ReactNode
  /** What stands last. */
  readonly close?: ReactNode
}

/** Where the record puts what belongs to it. */
export function useHeaderSlots() {
  const [state, setState] = useState<HTMLElement | null>(null)
  const [menu, setMenu] = useState<HTMLElement | null>(null)
  return { slots: { state, menu }, onSlots: { state: setState, menu: setMenu } }
}

/**
 * Above a record: how it stands with saving, the way to the next one, and what can be done with it as a whole. It stays
 * when one goes to the next record, and the keyboard in it.
 */
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

/** Stands by itself: the total comes later than what is beside it. */
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

/** Stays focusable at the end of the list, so that the focus is not lost on reaching it. */
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

/** Which way a key leads through the list: J and K, with Alt also while one writes. */
export function stepOfKey(event: KeyboardEvent): 'previous' | 'next' | undefined {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey
  const isTyping = event.target instanceof Element && event.target.closest(EDITABLE_SELECTOR) !== null
  if (!isPlain || (isTyping && !event.altKey)) return undefined
  // With Alt some keyboards write another sign, so it is the key itself that counts.
  const key = event.altKey ? event.code : `Key${event.key.toUpperCase()}`
  if (key === 'KeyJ') return 'next'
  return key === 'KeyK' ? 'previous' : undefined
}

/** The field in which the keyboard is, so that it can be there in the next record, too. */
export const fieldOfKeyboard = (place: HTMLElement | null): string | undefined =>
  place?.contains(document.activeElement) === true
    ? document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset['field']
    : undefined

/** Keeps the keyboard in the record that was gone to: in the same field where it was in one. */
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
