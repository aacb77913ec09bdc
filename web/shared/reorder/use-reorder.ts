import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type DragArea, EDGE_PX, edgeScroll, followDrag } from '#web/ui/browser/pointer-drag.ts'
import { keyInTextDirection } from '#web/ui/shortcuts/shortcuts.tsx'
import { t } from '#web/i18n/t.ts'
import './reorder.css'

/** Moves an item to another position, which is clamped to the list. */
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

export type Reorder<Item> = {
  /** While dragging, the order that would result from dropping the item now. */
  readonly order: readonly Item[]
  readonly listRef: RefObject<HTMLUListElement | null>
  /** Screen reader announcement after a move. */
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

/** Reorders lists and tiles by pointer, touch or keyboard. */
export function useReorder<Item>({ items, keyOf, nameOf, onReorder }: ReorderInput<Item>): Reorder<Item> {
  const listRef = useRef<HTMLUListElement>(null)
  const [dragged, setDragged] = useState<{ readonly key: string; readonly order: readonly Item[] }>()
  const [announcement, setAnnouncement] = useState('')
  const refocused = useRefocus(listRef, dragged !== undefined)
  const order = dragged?.order ?? items

  // A key may be pressed again before the new order is rendered.
  const latest = useRef(items)
  useLayoutEffect(() => {
    latest.current = items
  }, [items])

  const settle = (item: Item, before: readonly Item[], next: readonly Item[]) => {
    if (next === before) return
    latest.current = next
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
    const before = latest.current
    const from = before.findIndex((each) => keyOf(each) === keyOf(item))
    refocused.current = keyOf(item)
    settle(before[from] ?? item, before, moveItem(before, from, from + by))
  }

  const drag = (event: PointerEvent<HTMLElement>, item: Item) => {
    const key = keyOf(item)
    dragItem(event, listRef.current, {
      key,
      moveTo: (over, latest) => {
        const to = latest.findIndex((each) => keyOf(each) === over)
        if (to < 0) return latest
        const next = moveItem(latest, latest.indexOf(item), to)
        refocused.current = key
        // Rendered synchronously, so that the next pointer event measures the new positions.
        flushSync(() => setDragged({ key, order: next }))
        return next
      },
      start: items,
      onEnd: (next) => {
        setDragged(undefined)
        refocused.current = key
        if (next) settle(item, items, next)
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

/** Restores focus to a moved handle; a dragged handle is already visible, so it isn't scrolled to. */
function useRefocus(listRef: RefObject<HTMLUListElement | null>, isDragged: boolean) {
  const key = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (key.current === undefined) return
    handleIn(listRef.current, key.current)?.focus({ preventScroll: isDragged })
    key.current = undefined
  })
  return key
}

type Drag<Item> = {
  readonly key: string
  readonly start: readonly Item[]
  /** Returns the order that would result from dropping the dragged item on `over`. */
  readonly moveTo: (over: string, latest: readonly Item[]) => readonly Item[]
  /** Called with undefined if the drag was canceled. */
  readonly onEnd: (latest: readonly Item[] | undefined) => void
}

function dragItem<Item>(event: PointerEvent<HTMLElement>, list: HTMLElement | null, drag: Drag<Item>): void {
  if (event.button !== 0 || !list) return
  event.preventDefault()
  event.currentTarget.focus()
  document.getSelection()?.removeAllRanges()
  const scroller = scrollerOf(list)
  let at = { xPx: event.clientX, yPx: event.clientY }
  let latest = drag.start
  const update = () => {
    const over = keyAt(list, visibleArea(scroller), at)
    if (over !== undefined && over !== drag.key) latest = drag.moveTo(over, latest)
  }
  const scroll = edgeScroll(scroller, () => innerArea(visibleArea(scroller)), update)
  const onMove = (to: typeof at) => {
    at = to
    update()
    scroll.moveTo(to)
  }
  const onEnd = ({ isCanceled }: { readonly isCanceled: boolean }) => {
    scroll.stop()
    drag.onEnd(isCanceled ? undefined : latest)
  }
  followDrag({ onMove, onEnd }, event.pointerId)
}

function handleIn(list: HTMLElement | null, key: string): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-reorder="${CSS.escape(key)}"] .reorder-handle`) ?? null
}

/** The nearest scrollable ancestor. */
function scrollerOf(list: HTMLElement): HTMLElement {
  for (let element = list.parentElement; element; element = element.parentElement) {
    const { overflowY } = getComputedStyle(element)
    const canScroll = overflowY === 'auto' || overflowY === 'scroll'
    if (canScroll && element.scrollHeight > element.clientHeight) return element
  }
  return document.documentElement
}

function visibleArea(element: HTMLElement): DragArea {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return {
    left: Math.max(left, 0),
    right: Math.min(right, window.innerWidth),
    top: Math.max(top, 0),
    bottom: Math.min(bottom, window.innerHeight),
  }
}

const innerArea = ({ top, bottom }: DragArea): DragArea => ({
  left: Number.NEGATIVE_INFINITY,
  right: Number.POSITIVE_INFINITY,
  top: top + EDGE_PX,
  bottom: bottom - EDGE_PX,
})

/** The item under the pointer, or the nearest one if the pointer is outside the list. */
function keyAt(list: HTMLElement, area: DragArea, at: { readonly xPx: number; readonly yPx: number }) {
  const rect = list.getBoundingClientRect()
  const x = clamp(at.xPx, Math.max(rect.left, area.left) + 1, Math.min(rect.right, area.right) - 2)
  const y = clamp(at.yPx, Math.max(rect.top, area.top) + 1, Math.min(rect.bottom, area.bottom) - 2)
  const item = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-reorder]')
  return item && list.contains(item) ? item.dataset['reorder'] : undefined
}

const clamp = (value: number, first: number, last: number): number => Math.min(Math.max(value, first), last)
