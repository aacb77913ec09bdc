import { outlined } from './draw-icon.tsx'

/** “arrow-right” of Tabler. */
export const IconArrowRight = outlined('M5 12l14 0M13 18l6 -6M13 6l6 6')
