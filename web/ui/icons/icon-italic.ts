import { outlined } from './draw-icon.tsx'

/** “italic” of Tabler. */
export const IconItalic = outlined('M11 5l6 0M7 19l6 0M14 5l-4 14')
