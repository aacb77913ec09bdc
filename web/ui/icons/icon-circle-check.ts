import { outlined } from './draw-icon.tsx'

/** “circle-check” of Tabler. */
export const IconCircleCheck = outlined('M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M9 12l2 2l4 -4')
