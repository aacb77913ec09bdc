import { outlined } from './draw-icon.tsx'

/** “player-play” of Tabler. */
export const IconPlayerPlay = outlined('M7 4v16l13 -8l-13 -8')
