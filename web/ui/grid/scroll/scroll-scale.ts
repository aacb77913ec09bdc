/**
 * The tallest spacer that every browser draws. Chromium stops at 33,554,428 device pixels and Firefox at about 17.9
 * million, so this holds up to a device scale of 3 with room to spare.
 */
export const MAX_SPACER_PX = 8_000_000

/** Near either end one pixel of the scroll bar is one pixel of the list, so that arriving is exact and gentle. */
const EDGE_PX = 400_000

/** A move longer than this in one event is a dragged thumb or a jump; anything shorter is a wheel, a finger or a key. */
const MIN_JUMP_PX = 2000

/** Everything the mapping between the browser's scroll range and the whole list depends on. */
export type ScrollScale = {
  /** The spacer's height: what the browser believes the list is tall. */
  readonly spacerPx: number
  /** How far the browser can scroll. */
  readonly physicalRangePx: number
  /** How far the whole list can scroll; equals the physical range until the list outgrows the spacer. */
  readonly virtualRangePx: number
  readonly edgePx: number
  readonly jumpPx: number
}

/** Where the list stands: what the browser was last told or told us, and the true offset into the list. */
export type ScrollPosition = { readonly physicalPx: number; readonly virtualPx: number }

/** The list before anything scrolled. */
export const SCROLL_START: ScrollPosition = { physicalPx: 0, virtualPx: 0 }

/** The scale of a list of this height in a viewport of that height. */
export function scrollScale(listPx: number, viewportPx: number): ScrollScale {
  const spacerPx = Math.min(listPx, MAX_SPACER_PX)
  const physicalRangePx = Math.max(0, spacerPx - viewportPx)
  return {
    spacerPx,
    physicalRangePx,
    virtualRangePx: Math.max(0, listPx - viewportPx),
    edgePx: Math.min(EDGE_PX, physicalRangePx / 4),
    jumpPx: Math.max(MIN_JUMP_PX, viewportPx * 2),
  }
}

/** Whether the list is taller than its spacer. */
function isScaled(scale: ScrollScale): boolean {
  return scale.virtualRangePx > scale.physicalRangePx
}

/** The list offset that belongs to a place of the scroll bar: exact near the ends, stretched between them. */
export function toVirtual(scale: ScrollScale, physicalPx: number): number {
  const physical = clamp(physicalPx, 0, scale.physicalRangePx)
  if (!isScaled(scale) || physical <= scale.edgePx) return physical

  const fromEnd = scale.physicalRangePx - physical
  if (fromEnd <= scale.edgePx) return scale.virtualRangePx - fromEnd
  return scale.edgePx + (physical - scale.edgePx) * stretch(scale)
}

/** The place of the scroll bar that belongs to a list offset: the inverse of `toVirtual`. */
export function toPhysical(scale: ScrollScale, virtualPx: number): number {
  const virtual = clamp(virtualPx, 0, scale.virtualRangePx)
  if (!isScaled(scale) || virtual <= scale.edgePx) return virtual

  const fromEnd = scale.virtualRangePx - virtual
  if (fromEnd <= scale.edgePx) return scale.physicalRangePx - fromEnd
  return scale.edgePx + (virtual - scale.edgePx) / stretch(scale)
}

/** What follows from the browser having scrolled: short ways go one to one, long ones in proportion, ends snap. */
export function scrolledTo(scale: ScrollScale, from: ScrollPosition, physicalPx: number): ScrollPosition {
  const physical = clamp(physicalPx, 0, scale.physicalRangePx)
  if (!isScaled(scale)) return { physicalPx: physical, virtualPx: physical }

  const delta = physical - from.physicalPx
  if (Math.abs(delta) > scale.jumpPx) return { physicalPx: physical, virtualPx: toVirtual(scale, physical) }
  return { physicalPx: physical, virtualPx: clamp(from.virtualPx + delta, 0, scale.virtualRangePx) }
}

/** The position that shows a list offset, for keys and "scroll to row", which write the offset themselves. */
export function positionAt(scale: ScrollScale, virtualPx: number): ScrollPosition {
  const virtual = clamp(virtualPx, 0, scale.virtualRangePx)
  return { physicalPx: toPhysical(scale, virtual), virtualPx: virtual }
}

/** The same place of the list with the scroll bar put where it belongs: done when the scrolling rests. */
export function settled(scale: ScrollScale, position: ScrollPosition): ScrollPosition {
  return positionAt(scale, position.virtualPx)
}

/**
 * Whether the scroll bar must be put right at once, because one more short move would hit an end of the browser's range
 * while the list goes on, or the other way round.
 */
export function mustSettleNow(scale: ScrollScale, position: ScrollPosition): boolean {
  if (!isScaled(scale)) return false
  const belongs = toPhysical(scale, position.virtualPx)
  if (Math.abs(belongs - position.physicalPx) < 1) return false

  const toNearestEnd = Math.min(position.physicalPx, scale.physicalRangePx - position.physicalPx)
  const hasListEnded = position.virtualPx <= 0 || position.virtualPx >= scale.virtualRangePx
  return hasListEnded || toNearestEnd < scale.jumpPx
}

function stretch(scale: ScrollScale): number {
  return (scale.virtualRangePx - 2 * scale.edgePx) / (scale.physicalRangePx - 2 * scale.edgePx)
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}
