import { outlined } from './draw-icon.tsx'

/** “flip-horizontal” of Tabler. */
export const IconFlipHorizontal = outlined('M12 3l0 18M16 7l0 10l5 0l-5 -10M8 7l0 10l-5 0l5 -10')
