import { outlined } from './draw-icon.tsx'

/** “letter-t” of Tabler. */
export const IconLetterT = outlined('M6 4l12 0M12 4l0 16')
