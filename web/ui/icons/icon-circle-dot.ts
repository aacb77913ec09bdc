import { outlined } from './draw-icon.tsx'

/** “circle-dot” of Tabler. */
export const IconCircleDot = outlined('M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0')
