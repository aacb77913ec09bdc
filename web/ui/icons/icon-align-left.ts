import { outlined } from './draw-icon.tsx'

/** “align-left” of Tabler. */
export const IconAlignLeft = outlined('M4 6l16 0M4 12l10 0M4 18l14 0')
