import type { KeyboardEvent } from 'react'
import type { BoardCell, BoardMoves } from './board-moves.ts'

/** Cells and cards by their elements, so that keys can be handled once for the whole board. */
const cells = new WeakMap<Element, { readonly cell: BoardCell; readonly pickUp: (position: number) => void }>()

export const registerCell = (element: Element, entry: { cell: BoardCell; pickUp: (position: number) => void }): void =>
  void cells.set(element, entry)

const ARROWS: { readonly [key: string]: readonly [across: -1 | 0 | 1, down: -1 | 0 | 1] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Keys on a card: arrows go to other cards; Space picks a card up and drops it, Escape cancels. */
export function handleBoardKey(event: KeyboardEvent<HTMLElement>, moves: BoardMoves): void {
  const { key, currentTarget: board, target } = event
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return
  const dragging = moves.dragging.get()
  if (dragging?.by === 'keyboard') {
    const handled = handleDragKey(key, board, moves)
    if (handled) event.preventDefault()
    return
  }
  const card = target.closest<HTMLElement>('.board-card')
  if (!card || !target.matches('.board-title')) return
  const arrow = ARROWS[key]
  if (arrow) goTo(board, card, arrow)
  else if (key === ' ' && moves.mayMove) cells.get(cellElementOf(card))?.pickUp(positionOf(card))
  else return
  event.preventDefault()
}

function handleDragKey(key: string, board: HTMLElement, moves: BoardMoves): boolean {
  const arrow = ARROWS[key]
  if (arrow) moveOver(board, moves, arrow)
  else if (key === ' ' || key === 'Enter') moves.drop()
  else if (key === 'Escape') moves.cancel()
  else if (key === 'Tab') return true
  else return false
  return true
}

const cellElementOf = (card: Element): Element => card.closest('.board-column') ?? card

const positionOf = (card: HTMLElement): number => Number(card.dataset['index'])

const rowsOf = (board: HTMLElement): readonly (readonly Element[])[] =>
  [...board.querySelectorAll('.board-columns')].map((row) => [...row.querySelectorAll(':scope > .board-column')])

function moveOver(board: HTMLElement, moves: BoardMoves, [across, down]: readonly [number, number]): void {
  const now = moves.dragging.get()
  const rows = rowsOf(board)
  const direction = getComputedStyle(board).direction === 'rtl' ? -1 : 1
  const at = rows.findIndex((row) => row.some((element) => cells.get(element)?.cell.key === now?.over.key))
  const column = rows[at]?.findIndex((element) => cells.get(element)?.cell.key === now?.over.key) ?? -1
  const next = rows[at + down]?.[column + across * direction]
  const cell = next && cells.get(next)?.cell
  if (!next || !cell) return
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  moves.over(cell)
}

function goTo(board: HTMLElement, card: HTMLElement, [across, down]: readonly [number, number]): void {
  const column = cellElementOf(card)
  const position = positionOf(card)
  const titleIn = (place: Element | undefined, selector: string) =>
    place?.querySelector<HTMLElement>(`${selector} .board-title`)
  if (down !== 0) return titleIn(column, `[data-index="${position + down}"]`)?.focus()
  const row = rowsOf(board).find((each) => each.includes(column)) ?? []
  const direction = getComputedStyle(board).direction === 'rtl' ? -1 : 1
  for (let at = row.indexOf(column) + across * direction; at >= 0 && at < row.length; at += across * direction) {
    const next = titleIn(row[at], `[data-index="${position}"]`) ?? titleIn(row[at], '.board-card')
    if (next) return next.focus()
  }
}
