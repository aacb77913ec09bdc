import { outlined } from './draw-icon.tsx'

/** “rotate-clockwise” of Tabler. */
export const IconRotateClockwise = outlined('M4.05 11a8 8 0 1 1 .5 4m-.5 5v-5h5')
