// Hash slot of a hash tag on a Redis Cluster: CRC-16/XMODEM of its bytes
// (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags).
// Tollgate's tags are ASCII.

const SLOTS = 16_384;

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

export function slotOf(tag: string): number {
  let crc = 0;
  for (let i = 0; i < tag.length; i++) crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >> 8) ^ tag.charCodeAt(i)]!;
  return crc % SLOTS;
}
