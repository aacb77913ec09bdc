import { outlined } from './draw-icon.tsx'

/** “flip-vertical” of Tabler. */
export const IconFlipVertical = outlined('M3 12l18 0M7 16l10 0l-10 5l0 -5M7 8l10 0l-10 -5l0 5')
