import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { keyInTextDirection } from '#web/ui/shortcuts/shortcuts.tsx'
import { t } from '#web/i18n/t.ts'
import './reorder.css'

/** Positions outside are clamped. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items[from]
  const end = Math.max(0, Math.min(to, items.length - 1))
  if (item === undefined || from === end) return items
  return items.toSpliced(from, 1).toSpliced(end, 0, item)
}

type ReorderInput<Item> = {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly nameOf: (item: Item) => string
  readonly onReorder: (items: readonly Item[], moved: { readonly item: Item; readonly to: number }) => void
}

/** Reordering by drag handle or arrow keys. */
export type Reorder<Item> = {
  /** While dragging, the order if dropped. */
  readonly order: readonly Item[]
  readonly listRef: RefObject<HTMLUListElement | null>
  /** Announcement after a move. */
  readonly announcement: string
  readonly draggedKey: string | undefined
  readonly itemProps: (item: Item) => { readonly 'data-reorder': string; readonly 'data-dragged': true | undefined }
  readonly handleProps: (item: Item) => HandleProps
  readonly move: (item: Item, by: number) => void
}

type HandleProps = {
  readonly type: 'button'
  readonly 'aria-label': string
  readonly 'aria-roledescription': string
  readonly className: string
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
}

const KEY_STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }

/** For lists and tiles, with pointer, touch and keyboard. */
export function useReorder<Item>({ items, keyOf, nameOf, onReorder }: ReorderInput<Item>): Reorder<Item> {
  const listRef = useRef<HTMLUListElement>(null)
  const [dragged, setDragged] = useState<{ readonly key: string; readonly order: readonly Item[] }>()
  const [announcement, setAnnouncement] = useState('')
  const refocused = useRefocus(listRef)
  const order = dragged?.order ?? items

  const settle = (from: number, next: readonly Item[]) => {
    const item = items[from]
    if (item === undefined || next === items) return
    const to = next.indexOf(item)
    setAnnouncement(
      t('{nameOf} moved to position {to} of {itemsCount}', {
        nameOf: nameOf(item),
        to: to + 1,
        itemsCount: items.length,
      }),
    )
    onReorder(next, { item, to })
  }

  const move = (item: Item, by: number) => {
    const from = items.indexOf(item)
    refocused.current = keyOf(item)
    settle(from, moveItem(items, from, from + by))
  }

  const drag = (event: PointerEvent<HTMLElement>, item: Item) => {
    const from = items.indexOf(item)
    const key = keyOf(item)
    dragItem(event, listRef.current, {
      key,
      moveTo: (over, latest) => {
        const to = latest.findIndex((each) => keyOf(each) === over)
        if (to < 0) return latest
        const next = moveItem(latest, latest.indexOf(item), to)
        refocused.current = key
        setDragged({ key, order: next })
        return next
      },
      start: items,
      onEnd: (latest) => {
        setDragged(undefined)
        refocused.current = key
        if (latest) settle(from, latest)
      },
    })
  }

  return {
    order,
    listRef,
    announcement,
    draggedKey: dragged?.key,
    move,
    itemProps: (item) => ({ 'data-reorder': keyOf(item), 'data-dragged': dragged?.key === keyOf(item) || undefined }),
    handleProps: (item) => ({
      type: 'button',
      'aria-label': t('Move {nameOf}', { nameOf: nameOf(item) }),
      'aria-roledescription': t('Move with the arrow keys'),
      className: 'reorder-handle',
      onKeyDown: (event) => moveByKey(event, (by) => move(item, by)),
      onPointerDown: (event) => drag(event, item),
    }),
  }
}

function moveByKey(event: KeyboardEvent, move: (by: number) => void): void {
  const step = KEY_STEPS[keyInTextDirection(event.key)]
  if (step === undefined) return
  event.preventDefault()
  event.stopPropagation()
  move(step)
}

/** Restores focus to a handle that moved. */
function useRefocus(listRef: RefObject<HTMLUListElement | null>) {
  const key = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (key.current === undefined) return
    handleIn(listRef.current, key.current)?.focus()
    key.current = undefined
  })
  return key
}

type Drag<Item> = {
  readonly key: string
  readonly start: readonly Item[]
  /** The order if dropped over this item. */
  readonly moveTo: (over: string, latest: readonly Item[]) => readonly Item[]
  /** Undefined if canceled. */
  readonly onEnd: (latest: readonly Item[] | undefined) => void
}

function dragItem<Item>(event: PointerEvent<HTMLElement>, list: HTMLElement | null, drag: Drag<Item>): void {
  if (event.button !== 0) return
  event.preventDefault()
  event.currentTarget.focus()
  let latest = drag.start
  followPointer(event.currentTarget, event.pointerId, {
    onMove: (x, y) => {
      const over = keyAt(list, x, y)
      if (over !== undefined && over !== drag.key) latest = drag.moveTo(over, latest)
    },
    onEnd: (isDropped) => drag.onEnd(isDropped ? latest : undefined),
  })
}

function handleIn(list: HTMLElement | null, key: string): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-reorder="${CSS.escape(key)}"] .reorder-handle`) ?? null
}

function keyAt(list: HTMLElement | null, x: number, y: number): string | undefined {
  const item = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-reorder]')
  return item && list?.contains(item) ? item.dataset['reorder'] : undefined
}

/** Until released or Escape. */
function followPointer(
  handle: HTMLElement,
  pointerId: number,
  { onMove, onEnd }: { readonly onMove: (x: number, y: number) => void; readonly onEnd: (isDropped: boolean) => void },
): void {
  const ending = new AbortController()
  const { signal } = ending
  const end = (isDropped: boolean) => {
    if (signal.aborted) return
    ending.abort()
    onEnd(isDropped)
  }
  // Listens on the window, because the handle may move in the DOM and lose capture.
  const isSame = (event: { readonly pointerId: number }) => event.pointerId === pointerId
  window.addEventListener('pointermove', (event) => isSame(event) && onMove(event.clientX, event.clientY), { signal })
  window.addEventListener('pointerup', (event) => isSame(event) && end(true), { signal })
  window.addEventListener('pointercancel', (event) => isSame(event) && end(false), { signal })
  window.addEventListener('keydown', (event) => event.key === 'Escape' && end(false), { signal, capture: true })
  handle.ownerDocument.getSelection()?.removeAllRanges()
}
