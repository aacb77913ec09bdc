import { outlined } from './draw-icon.tsx'

/** “check” of Tabler. */
export const IconCheck = outlined('M5 12l5 5l10 -10')
