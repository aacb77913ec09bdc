import { outlined } from './draw-icon.tsx'

/** “x” of Tabler. */
export const IconX = outlined('M18 6l-12 12M6 6l12 12')
