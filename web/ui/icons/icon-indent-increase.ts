import { outlined } from './draw-icon.tsx'

/** “indent-increase” of Tabler. */
export const IconIndentIncrease = outlined('M20 6l-11 0M20 12l-7 0M20 18l-11 0M4 8l4 4l-4 4')
