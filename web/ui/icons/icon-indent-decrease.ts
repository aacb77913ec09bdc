import { outlined } from './draw-icon.tsx'

/** “indent-decrease” of Tabler. */
export const IconIndentDecrease = outlined('M20 6l-7 0M20 12l-9 0M20 18l-7 0M8 8l-4 4l4 4')
