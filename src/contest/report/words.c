// SPDX-License-Identifier: MIT
// A table of words, by what they are in English or by a key of the store and the rules. A `%` of
// those that report_fill is given stands for the next value, `%1` for the first.
#include "contest/report/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char *const codes[] = {
#define REPORT_LANGUAGE_WORD(id, word) word,
    REPORT_LANGUAGES(REPORT_LANGUAGE_WORD)
#undef REPORT_LANGUAGE_WORD
};

enum report_language report_language_find(const char *word) {
    enum report_language language = 0;
    while (language < REPORT_LANGUAGE_COUNT && strcmp(codes[language], word) != 0)
        language++;
    return language;
}

const char *report_language_word(enum report_language language) { return codes[language]; }

static const struct {
    const char *key, *words[REPORT_LANGUAGE_COUNT];
} table[] = {
    {"rank", {"rank", "순위", "名次"}},
    {"name", {"name", "이름", "名稱"}},
    {"team", {"team", "팀", "隊伍"}},
    {"played", {"played", "대국", "局數"}},
    {"won", {"won", "승", "勝"}},
    {"drawn", {"drawn", "무", "和"}},
    {"lost", {"lost", "패", "負"}},
    {"points", {"points", "승점", "積分"}},
    {"remark", {"remark", "비고", "備註"}},
    {"wins", {"games won", "다승", "勝場"}},
    {"difference", {"difference", "득실차", "分差"}},
    {"direct", {"direct", "승자승", "對戰"}},
    {"buchholz", {"Buchholz", "부흐홀츠", "布霍茲分"}},
    {"sonneborn", {"Sonneborn-Berger", "소네본-베르거", "索伯分"}},
    {"group", {"group", "조", "組"}},
    {"facts",
     {"%; players: %; games: % of %%.", "%, 선수 %명, 대국 %/%판%.", "%，% 位選手，%／% 局%。"}},
    {"so far", {" so far", " 진행 중", "，進行中"}},
    {"played on", {"Played from % to %.", "대국 기간: % ~ %.", "對局時間：% 至 %。"}},
    {"ended", {"ended", "종료", "結束時間"}},
    {"made", {"As of %.", "% 기준.", "截至 %。"}},
    {"final order", {"final order", "최종 순위", "最終名次"}},
    {"how far", {"result", "성적", "成績"}},
    {"podium", {"podium", "시상대", "頒獎台"}},
    {"bracket", {"bracket", "대진표", "對戰表"}},
    {"third match", {"third place", "3위 결정전", "季軍賽"}},
    // stages as the form of the page and the formats call them
    {"groups", {"groups", "조별 리그", "分組循環賽"}},
    {"knock-out", {"knock-out", "토너먼트", "淘汰賽"}},
    {"league", {"league", "리그", "循環賽"}},
    {"knockout", {"knock-out", "토너먼트", "淘汰賽"}},
    {"double", {"double elimination", "더블 엘리미네이션", "雙敗淘汰"}},
    {"swiss", {"Swiss", "스위스", "瑞士制"}},
    {"gauntlet", {"gauntlet", "도전전", "擂台賽"}},
    {"cross",
     {"points against each other, of so many", "상대 전적 (얻은 승점/대국 수)",
      "對戰成績（積分／局數）"}},
    {"strength",
     {"strength: Elo and its 95 % interval", "실력: Elo와 95% 구간", "實力：Elo 與 95% 區間"}},
    {"superiority",
     {"likelihood that the one on the left is stronger, %", "왼쪽이 더 강할 확률, %",
      "左列較強的機率，%"}},
    {"games", {"games", "대국", "對局"}},
    {"number", {"number", "번호", "編號"}},
    {"black", {"black", "흑", "黑方"}},
    {"white", {"white", "백", "白方"}},
    {"winner", {"winner", "승자", "勝方"}},
    {"scores", {"scores", "점수", "比分"}},
    {"moves", {"moves", "수", "手數"}},
    {"reason", {"reason", "사유", "原因"}},
    {"verdict", {"verdict", "판정", "判定"}},
    {"begun", {"begun", "시작 횟수", "開始次數"}},
    {"a draw", {"drawn", "무승부", "和局"}},
    {"nobody", {"nobody", "없음", "無"}},
    {"waiting", {"waiting", "대기", "等待中"}},
    {"playing", {"playing", "진행 중", "進行中"}},
    {"annulled", {"annulled", "무효", "無效"}},
    {"decisions", {"decisions of the organiser", "주최자의 결정", "主辦方的裁決"}},
    {"annul", {"game % annulled", "제%국 무효", "第 % 局無效"}},
    {"replay", {"game % to be played again", "제%국 재대국", "第 % 局重賽"}},
    {"restore", {"game % counts again", "제%국 결과 복원", "第 % 局恢復有效"}},
    {"withdraw", {"% withdrawn", "% 출전 포기", "% 退賽"}},
    {"disqualify", {"% disqualified", "% 실격", "取消 % 的資格"}},
    {"readmit", {"% readmitted", "% 다시 참가", "% 恢復參賽"}},
    {"in common",
     {"code in common, % per cent or more", "공통 코드 %퍼센트 이상", "相同程式碼達百分之 % 以上"}},
    {"player", {"player", "선수", "選手"}},
    {"of his code", {"of its code", "자기 코드 중", "占其程式碼"}},
    {"too many games",
     {"The % games are left out here; contest show without --html lists them.",
      "대국 %판은 생략했습니다. contest show를 --html 없이 실행하면 나옵니다.",
      "此處略去 % 局；不加 --html 的 contest show 會列出。"}},
    {"too wide",
     {"The tables of everybody against everybody are left out: they would have % "
      "columns.",
      "상대 전적표는 생략했습니다. 열이 %개가 됩니다.", "略去全體對戰表：將有 % 欄。"}},
    {"builtin", {"Built-in, strong", "기본 AI, 강함", "內建程式，強"}},
    {"builtin:strong", {"Built-in, strong", "기본 AI, 강함", "內建程式，強"}},
    {"builtin:normal", {"Built-in, normal", "기본 AI, 보통", "內建程式，普通"}},
    {"builtin:easy", {"Built-in, easy", "기본 AI, 쉬움", "內建程式，簡單"}},
    {"builtin:1", {"Built-in, level 1", "기본 AI, 난이도 1", "內建程式，強度 1"}},
    {"builtin:2", {"Built-in, easy", "기본 AI, 쉬움", "內建程式，簡單"}},
    {"builtin:3", {"Built-in, level 3", "기본 AI, 난이도 3", "內建程式，強度 3"}},
    {"builtin:4", {"Built-in, level 4", "기본 AI, 난이도 4", "內建程式，強度 4"}},
    {"builtin:5", {"Built-in, normal", "기본 AI, 보통", "內建程式，普通"}},
    {"builtin:6", {"Built-in, level 6", "기본 AI, 난이도 6", "內建程式，強度 6"}},
    {"builtin:7", {"Built-in, level 7", "기본 AI, 난이도 7", "內建程式，強度 7"}},
    {"builtin:8", {"Built-in, level 8", "기본 AI, 난이도 8", "內建程式，強度 8"}},
    {"builtin:9", {"Built-in, level 9", "기본 AI, 난이도 9", "內建程式，強度 9"}},
    {"builtin:10", {"Built-in, strong", "기본 AI, 강함", "內建程式，強"}},
    {"random", {"Random", "무작위", "隨機"}},
    {"(the house)", {"(the organiser's AI)", "(주최 측 AI)", "（主辦方程式）"}},
    // how far somebody came (reached.c)
    {"champion", {"champion", "우승", "冠軍"}},
    {"finalist", {"runner-up", "준우승", "亞軍"}},
    {"third", {"third place", "3위", "季軍"}},
    {"fourth", {"fourth place", "4위", "殿軍"}},
    {"semifinal", {"semi-final", "4강", "四強"}},
    {"quarterfinal", {"quarter-final", "8강", "八強"}},
    {"round", {"round %", "%라운드", "第 % 輪"}},
    {"final", {"final", "결승", "決賽"}},
    // what is remarked on a player, and the verdict on a game
    {"withdrawn", {"withdrawn", "출전 포기", "退賽"}},
    {"disqualified", {"disqualified", "실격", "取消資格"}},
    {"colon", {": ", ": ", "："}},
    {"the first", {", the first: ", ", 처음: ", "，第一次："}},
    {"times", {"%1 x %2", "%2 %1회", "%2 %1 次"}},
    {"against the house",
     {"%1 x %2 against the house", "주최 측 AI 상대: %2 %1회", "對主辦方程式：%2 %1 次"}},
    {"did better", {"did better", "상대보다 나은 성적", "較對手好"}},
    {"did worse", {"did worse", "상대보다 못한 성적", "較對手差"}},
    {"did as well", {"did as well", "상대와 같은 성적", "與對手相同"}},
    {"bye", {"bye in round %", "%라운드 부전승", "第 % 輪輪空"}},
    {"winners bye", {"bye in winners' round %", "승자조 %라운드 부전승", "勝部第 % 輪輪空"}},
    {"losers bye", {"bye in losers' round %", "패자조 %라운드 부전승", "敗部第 % 輪輪空"}},
    {"played out",
     {"played out against the house: %", "주최 측 AI와의 대국으로 결정: %",
      "與主辦方程式對局決定：%"}},
    {"still drawn", {"still drawn", "그대로 무승부", "仍為和局"}},
    {"verdict illegal", {"illegal", "둘 수 없는 수", "不合法的著手"}},
    {"verdict late", {"late", "시간 초과", "逾時"}},
    {"verdict gone", {"gone", "프로그램 종료", "程式已結束"}},
    {"verdict flood", {"flood", "출력 초과", "輸出過多"}},
    {"verdict memory", {"memory", "메모리 초과", "記憶體用量過多"}},
    {"verdict invalid-transfer", {"invalid-transfer", "잘못된 전송", "無效的傳輸"}},
    {"verdict not-ready", {"not-ready", "준비 시간 초과", "未及時就緒"}},
    {"verdict refused", {"refused", "거부됨", "遭拒絕"}},
    {"verdict platform", {"platform", "컴퓨터로 인한 지연", "因電腦忙碌而延遲"}},
    // how a game ended
    {"line", {"three cups in a line", "컵 세 개 한 줄", "三個杯子連線"}},
    {"lift",
     {"lifting a cup uncovered the opponent's line", "컵을 들어 상대의 줄이 드러남",
      "拿起杯子露出對方的連線"}},
    {"turns", {"all turns have been played", "정해진 수를 모두 둠", "手數已用完"}},
    {"no-moves", {"neither can move", "둘 다 둘 곳이 없음", "雙方都無法落子"}},
    {"pieces", {"all pieces are played", "말을 모두 놓음", "棋子全部下完"}},
    {"home", {"all pieces of a player are home", "한쪽의 말이 모두 도착", "一方的棋子全部到達"}},
    {"six", {"six in a row", "여섯 개 한 줄", "連成六子"}},
    {"overline", {"seven in a row", "일곱 개 한 줄(장목)", "連成七子"}},
    {"full", {"the board is full", "판이 가득 참", "棋盤已滿"}},
    {"forfeit", {"the opponent forfeits", "상대 실격", "對方失格"}},
    {"walkover", {"not played: one had left", "한쪽이 대회를 떠나 두지 않음", "一方離開，未對局"}},
    {"aborted", {"stopped", "중단", "中止"}},
    {"platform", {"the machine was too busy", "컴퓨터가 너무 바쁨", "電腦過於忙碌"}},
    // Titles of games, as their rules have them.
    {"Cup-Tac-Toe", {"Cup-Tac-Toe", "컵택토", "疊杯圈叉"}},
    {"Reversi, open board", {"Reversi, open board", "리버시, 열린 판", "黑白棋，開放棋盤"}},
    {"3-D four-in-a-line", {"3-D four-in-a-line", "입체 사목(타워 포)", "立體四子棋"}},
    {"Hop, capture and race", {"Hop, capture and race", "홉 체스", "跳吃棋"}},
    {"Connect6 with blocked cells",
     {"Connect6 with blocked cells", "육목, 막힌 칸", "六子棋，含障礙格"}},
    {"evidence came after the deadline", {"came after the deadline", "마감 후 제출", "逾期提交"}},
};

void report_fill(struct buf *out, const char *words, const char *const *values) {
    size_t next = 0;
    for (; *words; words++) {
        const bool numbered = *words == '%' && words[1] >= '1' && words[1] <= '9';
        const size_t at = numbered ? (size_t)(words[1] - '1') : next;
        if (*words != '%' || (!numbered && !values[next])) {
            buf_put(out, words, 1);
            continue;
        }
        buf_text(out, values[at]);
        words += numbered;
        next += !numbered;
    }
}

const char *report_word(enum report_language language, const char *key) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].key, key) == 0)
            return table[i].words[language];
    return key;
}
