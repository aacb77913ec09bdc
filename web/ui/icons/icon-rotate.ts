import { outlined } from './draw-icon.tsx'

/** “rotate” of Tabler. */
export const IconRotate = outlined('M19.95 11a8 8 0 1 0 -.5 4m.5 5v-5h-5')
