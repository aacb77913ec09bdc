import { outlined } from './draw-icon.tsx'

/** “pin” of Tabler. */
export const IconPin = outlined('M15 4.5l-4 4l-4 1.5l-1.5 1.5l7 7l1.5 -1.5l1.5 -4l4 -4M9 15l-4.5 4.5M14.5 4l5.5 5.5')
