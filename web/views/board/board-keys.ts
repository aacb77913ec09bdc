import type { KeyboardEvent } from 'react'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { RecordPlace } from '../view-kind.ts'
import type { BoardCell, BoardMoves } from './board-moves.ts'

type CellEntry = { readonly cell: BoardCell; readonly cardAt: (position: number) => RecordRow | undefined }

/** Cells by their elements, so that keys can be handled once for the whole board. */
const cells = new WeakMap<Element, CellEntry>()

export const registerCell = (element: Element, entry: CellEntry): void => void cells.set(element, entry)

/** A card's place after or before the card next to it. */
export function placeBeside(card: HTMLElement, by: -1 | 1, place: RecordPlace['place']): RecordPlace | undefined {
  const neighbor = cells.get(cellElementOf(card))?.cardAt(positionOf(card) + by)?.record
  return neighbor && { place, neighbor }
}

/** Moves a card past the card above or below it in the manual order. */
export function shiftCard(card: HTMLElement, by: -1 | 1, moves: BoardMoves): void {
  const entry = cells.get(cellElementOf(card))
  const row = entry?.cardAt(positionOf(card))
  const to = placeBeside(card, by, by < 0 ? 'before' : 'after')
  if (entry && row && to) moves.reorder(row, entry.cell, to, { ...to, place: by < 0 ? 'after' : 'before' })
}

const ARROWS: { readonly [key: string]: readonly [across: -1 | 0 | 1, down: -1 | 0 | 1] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Keys on a card: arrows go to other cards; Space picks a card up and drops it, Escape cancels. */
export function handleBoardKey(event: KeyboardEvent<HTMLElement>, moves: BoardMoves): void {
  const { key, currentTarget: board, target } = event
  if (event.ctrlKey || event.metaKey || !(target instanceof Element)) return
  const dragging = moves.dragging.get()
  if (dragging?.by === 'keyboard') {
    const handled = handleDragKey(key, board, moves)
    if (handled) event.preventDefault()
    return
  }
  const card = target.closest<HTMLElement>('.board-card')
  if (!card || !target.matches('.board-title')) return
  const isHandled = event.altKey ? handleShiftKey(key, card, moves) : handleCardKey(key, { board, card }, moves)
  if (isHandled) event.preventDefault()
}

function handleShiftKey(key: string, card: HTMLElement, moves: BoardMoves): boolean {
  const by = ARROWS[key]?.[1]
  if (!by || !moves.mayReorder) return false
  shiftCard(card, by, moves)
  return true
}

type CardPlace = { readonly board: HTMLElement; readonly card: HTMLElement }

function handleCardKey(key: string, { board, card }: CardPlace, moves: BoardMoves): boolean {
  const arrow = ARROWS[key]
  const entry = cells.get(cellElementOf(card))
  const row = entry?.cardAt(positionOf(card))
  if (arrow) goTo(board, card, arrow)
  else if (key === ' ' && moves.mayMove && entry && row) moves.pickUp(row, entry.cell, 'keyboard')
  else return false
  return true
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
