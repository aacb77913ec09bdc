import { outlined } from './draw-icon.tsx'

/** “arrow-left” of Tabler. */
export const IconArrowLeft = outlined('M5 12l14 0M5 12l6 6M5 12l6 -6')
